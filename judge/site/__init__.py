"""The public archive as files: pages, charts, and the folder they are kept in. Floor 2."""
