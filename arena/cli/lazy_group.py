"""A group of commands that imports a command only to run it, so that `--help` stays fast."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

import click

from games.errors import did_you_mean


class LazyCommand(NamedTuple):
    """Where a command lives, and its line in the list of commands."""

    module: str
    name: str
    summary: str


class LazyGroup(click.Group):
    """Lists commands without importing them, and names them all when one does not exist."""

    def __init__(self, *args: object, lazy: Mapping[str, LazyCommand], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.lazy])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        module, name, _ = self.lazy[cmd_name]
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._summary(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _summary(self, ctx: click.Context, name: str) -> str:
        if name in self.lazy:
            return self.lazy[name].summary
        command = self.get_command(ctx, name)
        assert command is not None
        return command.get_short_help_str(limit=100)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].startswith("-"):
                raise
            known = self.list_commands(ctx)
            message = f"there is no command '{args[0]}' (known: {', '.join(known)})"
            message += did_you_mean(args[0], known)
            if self.invoke_without_command:
                message += f"; `{ctx.command_path}` alone lists what there is"
            raise click.UsageError(message, error.ctx) from None
