"""Many decisions at once: from rows to verdicts, from verdicts to what they say together."""
