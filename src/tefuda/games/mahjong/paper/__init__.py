"""The players of the paper (Mizukami and Tsuruoka): the features of its one-player policy, and who decides by them."""
