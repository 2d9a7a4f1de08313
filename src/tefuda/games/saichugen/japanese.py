"""What presets, options and players are, in Japanese, by their names. The English stands where each is made."""

japanese = {
    "paper": "論文第2節：勝った割合で評価",
    "stake": "同じゲームをゼロ和の賭けで：勝者の得は敗者の損",
    "payoff": (
        "`win` は勝者に1、ほかは0。`stake` は敗者が合わせて2を払い勝者が分ける："
        "勝者一人なら +2 −1 −1、二人なら +1 +1 −2、三人なら0"
    ),
    "random": "合法手から同じ確率で選ぶ",
    "choice0": "どの札でも",
    "choice1": "最も得点しそうな札",
    "choice2": "最も得点しなさそうな札",
    "choice3": "最小の札",
    "choice4": "最大の札",
    "choice5": "ラウンドの点が中位になる札のうち最も有力なもの、なければ choice2",
    "T-random": "どの札でも",
    "T-take": "ラウンドを取る：一度得点したら後は避ける",
    "T-nottake": "ラウンドを落とす：得点を避け、してしまったら続ける",
    "T-take+3t": "T-take。三ターン目は中位を狙う",
    "T-nottake+3t": "T-nottake。三ターン目は中位を外す",
    "T-takepoint": "通算が中位になるラウンドの点を狙う",
    "S-random": "どの札でも",
    "S-base": "通算点を得るまで T-take、その後 T-nottake",
    "S-base+3t": "同じく T-take+3t と T-nottake+3t で",
    "S-base+3t+4r": "さらに第4・5ラウンドは T-takepoint：論文で最強",
    "learned": "第7節：順位と残り札の価値を、賭けの自己対戦で学習",
    "learned-vs-random": "同じく、random 二人を相手に学習",
    "champion": "賭けのために自己対戦で学んだネットワーク",
    "exploiter": "random 二人に勝つことを学んだネットワーク",
    "quick": "チャンピオンと同じように学んだ小さなネットワーク。何倍も速い",
    "pimc": "探索：一手につき300の世界を推測し、random が打ち継ぐ",
    "champion+search": "チャンピオンが有力と見た手を300の推測した世界で試す",
    # values of options
    "payoff=win": "勝ち数",
    "payoff=stake": "賭け",
}
