"""The loops around a game's kernels: whole games, playouts, lanes; networks and linear policies as kernels."""
