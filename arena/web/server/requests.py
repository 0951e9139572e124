"""What pages send: JSON bodies and numbers, checked; and the sessions that requests belong to."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from starlette.requests import Request

from games.errors import GameError

MOST_SESSIONS: Final = 50
"""Sessions of a kind kept at a time; the one that was not used for longest goes first."""

_T = TypeVar("_T")


class BadRequest(GameError):
    """A request that cannot be answered; the message says why."""


class NotThere(GameError):
    """Something that does not exist; the message says what there is."""


async def json_body(request: Request) -> dict[str, Any]:
    """The object that a page sent."""
    try:
        body = await request.json()
    except (ValueError, RecursionError):
        raise BadRequest("the request is not JSON") from None
    if not isinstance(body, dict):
        raise BadRequest("an object was expected in the request")
    return body


def number_in(value: object, name: str) -> int:
    """The number that a page sent, perhaps as text."""
    try:
        return int(str(value))
    except ValueError:
        raise BadRequest(f"{name} must be a whole number, not {value!r}") from None


class Sessions(Generic[_T]):
    """What visitors have begun, each under a key that cannot be guessed."""

    def __init__(self, unknown: str, close: Callable[[_T], object] = lambda _: None) -> None:
        self._unknown = unknown
        """What to say about a key that is not there any more."""
        self._close = close
        self._kept: OrderedDict[str, _T] = OrderedDict()
        self._lock = Lock()

    def add(self, session: _T) -> str:
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[key] = session
            gone = []
            while len(self._kept) > MOST_SESSIONS:
                gone.append(self._kept.popitem(last=False)[1])
        for each in gone:
            self._close(each)
        return key

    def of(self, request: Request) -> _T:
        """The session that the address names."""
        return self.get(str(request.path_params["key"]))

    def get(self, key: str) -> _T:
        with self._lock:
            if key not in self._kept:
                raise BadRequest(self._unknown)
            self._kept.move_to_end(key)
            return self._kept[key]

    def close(self) -> None:
        with self._lock:
            sessions = list(self._kept.values())
            self._kept.clear()
        for session in sessions:
            self._close(session)
