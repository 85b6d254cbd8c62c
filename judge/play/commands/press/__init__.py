"""Commands about press and diaries."""
