"""What presets, options and players are, in Japanese, by their names. The English stands where each is made."""

japanese = {
    "standard": "論文どおり：アンティ1、レイズは2枚、次に4枚",
    "first_raise": "第1ラウンドのレイズの額(アンティは1)",
    "second_raise": "第2ラウンドのレイズの額",
    "random": "合法手から同じ確率で選ぶ",
    "always-call": "いつもチェックし、コールする",
    "always-raise": "いつもベットし、レイズする",
    "honest": "キングとペアでレイズ、クイーンでコール、ジャックは降りる",
    "equilibrium": "CFR+ による解：ほとんど付け入る隙がない",
    "pimc": "探索：一手につき50の世界を推測し、random が打ち継ぐ",
}
