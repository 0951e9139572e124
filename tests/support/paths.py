"""Where the checkout and the test doubles lie."""

from pathlib import Path
from typing import Final

SUPPORT: Final = Path(__file__).parent
ROOT: Final = SUPPORT.parent.parent
