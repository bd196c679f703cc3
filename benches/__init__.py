"""What the package costs, measured: `python -m benches [NAME ...]` from the repository's root.

Every judged figure is a ratio of two times taken in one process, one right after the other.
Absolute times stand beside it for orientation only. `cnf` and `server` take options after
their name: `python -m benches cnf --help`.
"""
