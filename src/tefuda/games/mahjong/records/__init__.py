"""Records of mahjong: paifu.py is a match as played; mjlog, mjai and tenhou6 read or write it; replay.py checks it."""
