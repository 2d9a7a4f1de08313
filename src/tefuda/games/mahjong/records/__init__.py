"""Records of mahjong.

paifu.py is a match as played; recorder.py makes one at a table of the engine. mjlog.py, mjai_read.py and
tenhou6_read.py read it, mjlog_write.py, mjai.py and tenhou6.py write it; checked.py checks what comes in. replay.py
plays a match through the engine and compares all that its record states (stated.py) with what it would write itself.
"""
