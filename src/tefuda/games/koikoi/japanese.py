"""What presets, options and players are, in Japanese, by their names. The English stands where each is made."""

japanese = {
    "paper": "論文第2節：十種の役、倍なし、一局勝負",
    "nintendo": "花見酒・月見酒あり、七点以上と相手のこいこいで倍、こいこいは一局に一度、十二局",
    "bonus": "役はすべて加算、こいこいで加点と倍、流局は親の勝ち、八局",
    "rounds": "一試合の局数",
    "sake": "花見酒と月見酒それぞれの点。0なら役にしない",
    "sake_after_koikoi": "こいこいした後のその点。0なら同じ",
    "sake_kasu": "盃をカスにも数える",
    "extras": (
        "猪鹿蝶のほかのタネ、赤短・青短のほかの短冊の数え方：`with` はタネ・タンに加算、"
        "`instead` は代わりに一枚一点、`both` は両方"
    ),
    "akatan_aotan": "赤短と青短がそろったときの加点",
    "double_seven": "こいこいの点を含め七点以上で倍",
    "double_koikoi": "相手がこいこいしていれば倍",
    "koikoi_points": "自分のこいこい：三回までは一回につき一点、四回目からは点数×(回数−2)",
    "koikoi_limit": "一局に両者合わせてこいこいできる回数。0なら制限なし",
    "teshi": "手四(同じ月が手に四枚)",
    "kuttsuki": "くっつき(手に四組の対)",
    "field": "配り直しになる場：`never` はなし、`four` は同じ月が四枚、`three` は三枚以上",
    "exhausted": "勝負がつかない局で親が相手から取る点",
    "next_dealer": (
        "次の親：`winner` は勝者(流局は同じ親)、`winner-or-other` は流局なら交代、"
        "`alternate` は毎回交代。流局で点を得た親は勝者とみなす"
    ),
    "pack": (
        "`full` は十二か月、`small` は一月から三か月で手札2枚・場札4枚(タネ2・短冊2・カス3で役)、"
        "`tiny` は二か月で手札1枚・場札4枚(どれも2枚で役)"
    ),
    "random": "合法手から同じ確率で選ぶ",
    "rule-based": "規則で打つ：役を完成させ、価値の高い札を取り、低い札を捨てる",
    "rule-based-simple": "単純な規則：役を完成させ、でなければ何か取り、でなければ何か出す",
    "rule-based-values": "同じだが価値の高い札を取る：光20、タネ10、短冊5、カス1",
    "pg-linear": "36個の特徴を、論文どおり方策勾配法で rule-based を相手に学習",
    "pg-linear-tuned": "同じ特徴と勾配で、刻み幅や相手の選び方を改良",
    "ann-value": "rule-based の対局から学んだ、取った後の局面を評価する252-200-1のネットワーク",
    "champion": "自己対戦で学んだネットワーク",
    "champion/points": "チャンピオン。試合の勝ちではなく、毎局の点を目指す",
    "quick": "自己対戦で学んだ小さなネットワーク。チャンピオンの何倍も速い",
    "pimc": "探索：一手につき500の世界を推測し、rule-based/always-stop が打ち継ぐ",
    "champion+search": "チャンピオンが有力と見た手を2000の推測した世界で試す",
    # values of options
    "extras=with": "加算",
    "extras=instead": "代わりに",
    "extras=both": "両方",
    "teshi=play": "そのまま続ける",
    "teshi=redeal": "配り直し",
    "teshi=points": "役として払う",
    "kuttsuki=play": "そのまま続ける",
    "kuttsuki=redeal": "配り直し",
    "kuttsuki=points": "役として払う",
    "field=never": "なし",
    "field=four": "四枚",
    "field=three": "三枚以上",
    "next_dealer=winner": "勝者",
    "next_dealer=winner-or-other": "勝者、流局は交代",
    "next_dealer=alternate": "毎回交代",
    "pack=full": "全部(十二か月)",
    "pack=small": "小さい(三か月)",
    "pack=tiny": "ごく小さい(二か月)",
}
