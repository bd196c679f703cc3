"""Audits: verdicts on many decisions, and what they say together.

A batch of rows flows through these packages:

    inputs/    opens a frame or files once and cuts the rows into numbered parts of 65,536
    engines/   hands parts to threads here, or to the workers of Dask or Spark
    verdicts/  a worker bins a part, asks the classifier, and returns a table of verdicts
               with the marginal counts of the part in its metadata
    outputs/   keeps finished parts in memory or on disk, so that a stopped run goes on
    summary/   counts the verdicts: disparate treatment (exact), disparate impact (statistical)
    report/    the summary and its most telling cases as one HTML page and a JSON file
    letters/   principal reasons of refusals, for adverse-action notices

`api.py` runs this pipeline, `options.py` checks its arguments, `audit.py` is the result.
"""
