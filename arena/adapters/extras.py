"""What an adapter says when the library it is for is not installed."""

from __future__ import annotations


class MissingExtra(ImportError):
    """An optional dependency is not installed; the message says how to get it."""

    def __init__(self, what: str, extra: str, module: str | None) -> None:
        super().__init__(
            f"{what} needs {module or extra}; "
            f"install it with pip install 'hidden-leaders-arena[{extra}]'",
            name=module,
        )
