"""`python -m judge` is `judge`."""

import sys

from judge.cli import main

if __name__ == "__main__":
    sys.exit(main())
