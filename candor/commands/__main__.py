"""`python -m candor.commands` is `candor` for a checkout that is not installed."""

import sys

from candor.commands import main

sys.exit(main())
