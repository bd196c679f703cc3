"""Questions about one decision or one classifier, each a function of a circuit."""
