"""The report: a run, and what becomes of arms that are repeated, as one page that needs nothing else."""
