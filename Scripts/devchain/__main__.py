"""Lets `python -m devchain` start the chain."""

from devchain.main import main

if __name__ == "__main__":
    main()
