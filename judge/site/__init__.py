"""The public archive as files: pages, charts and their folder."""
