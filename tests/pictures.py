"""The names of the pictures of each deck, as contract/scene.py tells them."""

PICTURES = {
    "hanafuda": {f"{month}-{place}" for month in range(1, 13) for place in range(1, 5)},
    "cards": {rank + suit for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "CDHS"},
    "tiles": {f"{number}{suit}" for suit in "mps" for number in range(10)} | {f"{number}z" for number in range(1, 8)},
}
