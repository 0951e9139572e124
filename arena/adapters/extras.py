"""What an adapter says when the library it is for is not installed."""

from __future__ import annotations

from games.extras import how_to_install


class MissingExtra(ImportError):
    """An optional dependency is not installed; the message says how to get it."""

    def __init__(self, what: str, extra: str, module: str | None) -> None:
        super().__init__(f"{what} needs {module or extra}; {how_to_install(extra)}", name=module)
