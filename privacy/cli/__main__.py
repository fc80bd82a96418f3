"""`python -m privacy.cli` is `candor` for a checkout that is not installed."""

import sys

from privacy.cli import main

sys.exit(main())
