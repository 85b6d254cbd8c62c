"""The rules: orders, legality, adjudication, and the reasons of every verdict. Pure."""
