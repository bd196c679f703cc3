"""`python -m reasons` is the program `reasons`."""

from reasons.cli import main

if __name__ == "__main__":
    main()
