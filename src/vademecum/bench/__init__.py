"""The controlled evaluation: recall against tokens kept, and what happens when compaction is repeated."""
