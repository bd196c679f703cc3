"""What the package costs, measured: `python -m benches [names]` from the root of the repository.

Every figure that is judged is a ratio of two times taken in one process, one right
after the other; absolute times stand beside it for orientation only.
"""
