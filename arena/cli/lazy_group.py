"""A group of commands that imports a command only to run it, so that `--help` stays fast."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from games.errors import did_you_mean


class LazyGroup(click.Group):
    """Lists commands without importing them; when one does not exist, names those that do."""

    def __init__(
        self, *args: object, lazy: Mapping[str, tuple[str, str]], **kwargs: object
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.lazy = lazy
        """Name -> the module of `commands` that has it, and its line in the list."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.lazy])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        members = vars(import_module(f"arena.cli.commands.{self.lazy[cmd_name][0]}")).values()
        commands = [member for member in members if isinstance(member, click.Command)]
        return next(command for command in commands if command.name == cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """As click does, but without importing the commands for their summaries."""
        loaded = {name: each.get_short_help_str() for name, each in self.commands.items()}
        summaries = loaded | {name: summary for name, (_, summary) in self.lazy.items()}
        items = click.Command.shell_complete(self, ctx, incomplete)
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [CompletionItem(name, help=summaries[name]) for name in names] + items

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        loaded = {name: each.get_short_help_str(limit=100) for name, each in self.commands.items()}
        summaries = loaded | {name: summary for name, (_, summary) in self.lazy.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, summaries[name]) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].startswith("-"):
                raise
            known = self.list_commands(ctx)
            hint = did_you_mean(args[0], known)
            if not hint:
                hint = f" (known: {', '.join(known)})"
                if self.invoke_without_command:
                    hint += f"; `{ctx.command_path}` alone lists what there is"
            raise click.UsageError(f"there is no command '{args[0]}'{hint}", error.ctx) from None
