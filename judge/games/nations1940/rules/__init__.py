"""The rules of Nations 1940: pure, one room a rule topic; N-numbers are those of docs/nations1940.md."""
