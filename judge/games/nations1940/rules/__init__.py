"""The rules of Nations 1940: pure, one room a rule topic; N-numbers as in docs/nations1940.md."""
