"""What presets, options and players are, in Japanese, by their names. The English stands where each is made."""

japanese = {
    "standard": "クーンの原型：アンティ1、ベット1",
    "bet": "一度だけのベットの額(アンティは1)",
    "random": "パスとベットを同じ確率で",
    "equilibrium": "負けない打ち方。/ALPHA(1/3まで)はジャックでブラフする割合",
    "always-bet": "いつもベットし、コールする",
    "always-pass": "いつもチェックし、降りる",
    "pimc": "探索：一手につき50の世界を推測し、random が打ち継ぐ",
}
