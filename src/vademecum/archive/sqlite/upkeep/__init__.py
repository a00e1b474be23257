"""Keeping an archive in order: what it holds, whether it is whole, and removing for good."""
