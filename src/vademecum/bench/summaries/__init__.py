"""The summary model of a run: what it is asked, what it has answered, and what is pending."""
