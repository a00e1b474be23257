"""Calls to models: what is asked, what was answered, and how the two travel."""
