"""What presets, options and players are, in Japanese, by their names. The English stands where each is made."""

japanese = {
    "plain": "論文4.1.1節：取ったトリックを数える、一局",
    "hearts": "論文4.2.1節：交換なし、シュート・ザ・ムーンなし、一局",
    "hearts-as-run": "同じだがハートをいつでもリードできる(論文の図のとおり)",
    "usual": "普通のハーツ：順に交換、シュート・ザ・ムーンあり、誰かが100点になるまで",
    "goal": (
        "`tricks` は多くのトリックを取る、`hearts` は失点を避ける(ハーツの制限あり)。次の五つは tricks では意味がない"
    ),
    "moon": "失点26をすべて取った人：`off` は26点、`others` は0点でほかの全員が26点、`self` は−26点",
    "break_hearts": "ハートが出る(解禁)まで、ほかにあればハートをリードできない",
    "queen_breaks": "スペードのQもハートを解禁する",
    "first_points": "最初のトリックに失点札を捨ててよい",
    "jack": "ダイヤのJを取ると失点が10減る",
    "passing": (
        "始めに三枚渡す：`off` なし、`left` 左(次の席)、`across` 向かい、`right` 右、"
        "`rotation` 局ごとに左・右・向かい・なし"
    ),
    "target": "誰かがこの点になるまで続ける。0なら一局",
    "pack": (
        "`full` は手札13枚、`small` はQ・K・Aだけで手札3枚、`tiny` はK・Aだけで手札2枚。"
        "ハーツでは一番低いクラブからリードし、失点はその札の分だけ"
    ),
    "random": "合法手から同じ確率で選ぶ",
    "rule-based": "論文の規則表：安く勝つ。ハーツでは下をくぐり、高いスペードを捨てる",
    "q-linear": "論文の学習：特徴の重み付き和のQ学習、自己対戦",
    "q-linear-random": "同じく、random を相手に学習",
    "q-linear-averaged": "同じく自己対戦で、後半の重みの平均",
    "q-softmax": "良い手ほど高い確率で選び、手札を読まれにくくする",
    "champion": "自己対戦で学んだネットワーク",
    "quick": "自己対戦で学んだ小さなネットワーク。チャンピオンの何倍も速い",
    "pimc": "探索：一手につき100の世界を推測して rule-based が打ち継ぎ、最後の8手は完全に読む",
    "champion+search": "チャンピオンが有力と見た手を1000の推測した世界で試す",
    # values of options
    "goal=tricks": "トリック数",
    "goal=hearts": "ハーツの失点",
    "moon=off": "なし",
    "moon=others": "ほかの全員が失点",
    "moon=self": "自分が減点",
    "passing=off": "なし",
    "passing=left": "左へ",
    "passing=across": "向かいへ",
    "passing=right": "右へ",
    "passing=rotation": "局ごとに替わる",
    "pack=full": "全部(手札十三枚)",
    "pack=small": "小さい(手札三枚)",
    "pack=tiny": "ごく小さい(手札二枚)",
}
