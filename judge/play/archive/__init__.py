"""Games as records: history, export and import, replay, statistics, what is published."""
