"""Players. A bot sees a View, never a State."""

from bots.bot import Bot, Budget
from bots.options import Option

__all__ = ["Bot", "Budget", "Option"]
