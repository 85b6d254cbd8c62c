"""Rules of Nations 1940, as pure functions of the state.

Each module covers one topic. The numbers N-… are those of docs/reference/nations1940-rules.md.
"""
