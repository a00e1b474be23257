"""The part of a run that models take part in: who writes, answers and judges, and what came of it."""
