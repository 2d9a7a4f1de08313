"""`python -m tefuda`: the command line."""

from tefuda.cli import main

main()
