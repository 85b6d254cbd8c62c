"""The order language of Nations 1940: lines to orders (N-150 to N-155)."""
