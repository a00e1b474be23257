"""The cycle simulator (B-9): a lineage is unrolled and compacted again and again, as in a long session."""
