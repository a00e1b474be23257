"""Questions about what is about to be removed, each with a gold that stands in the transcript."""
