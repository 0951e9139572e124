"""Writes the constants of namespaces into the code of the pure engine: `Zone.HAND` becomes 6.

mypyc does this in the compiled engine. Interpreted, each use would cost two look-ups, and the
rules use them everywhere. The sources stay as they are; only the code made from them differs.
"""

from __future__ import annotations

import ast
import marshal
import sys
from functools import cache
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType

_ROOT = Path(__file__).parent.parent
NAMESPACE_FILES = ("card_language.py", "constants.py", "interpreter.py", "opcodes.py")
"""Files of the games that define namespaces; others are not searched for them."""

Namespaces = dict[str, dict[str, int]]  # class -> constant -> value


def namespaces(tree: ast.Module) -> Namespaces:
    """The classes of a module with their constants: `HAND: Final = 6` with a literal integer."""
    return {
        node.name: {
            line.target.id: line.value.value
            for line in node.body
            if isinstance(line, ast.AnnAssign)
            and isinstance(line.target, ast.Name)
            and isinstance(line.annotation, ast.Name)
            and line.annotation.id == "Final"
            and isinstance(line.value, ast.Constant)
            and type(line.value.value) is int
        }
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


@cache
def namespace_sources() -> dict[str, bytes]:
    """Module -> source, of every module that defines namespaces."""
    paths = sorted(path for name in NAMESPACE_FILES for path in (_ROOT / "games").rglob(name))
    return {
        ".".join(path.relative_to(_ROOT).with_suffix("").parts): path.read_bytes() for path in paths
    }


@cache
def namespaces_of(module: str) -> Namespaces:
    source = namespace_sources().get(module)
    return {} if source is None else namespaces(ast.parse(source))


class Inliner(ast.NodeTransformer):
    """Replaces constants of the namespaces that a module defines or imports at its top level."""

    def __init__(self, tree: ast.Module) -> None:
        self.namespaces = namespaces(tree)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    constants = namespaces_of(node.module).get(alias.name, {})
                    self.namespaces[alias.asname or alias.name] = constants

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            constants = self.namespaces.get(node.value.id, {})
            if node.attr in constants:
                return ast.copy_location(ast.Constant(constants[node.attr]), node)
        return self.generic_visit(node)


def inlined(source: bytes, path: str) -> CodeType:
    """A module's code with the constants written in; line numbers are those of the source."""
    tree = ast.parse(source, path)
    code: CodeType = compile(Inliner(tree).visit(tree), path, "exec", dont_inherit=True)
    return code


class InliningLoader(SourceFileLoader):
    """Loads a source file with constants written in.

    The code is kept beside Python's own cached code, under another name: it is out of date
    when the source or any namespace has changed, and Python would look at the source alone.
    """

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - as inherited
        source = self.get_data(self.path)
        origin = sha256(b"".join((MAGIC_NUMBER, *namespace_sources().values(), source))).digest()
        cached = Path(cache_from_source(self.path, optimization="inlined"))
        try:
            kept = cached.read_bytes()
        except OSError:
            kept = b""
        if kept.endswith(origin):  # at the end: a file cut short is not taken for whole
            code: CodeType = marshal.loads(kept.removesuffix(origin))  # noqa: S302 - as Python does
            return code
        code = inlined(source, self.path)
        if not sys.dont_write_bytecode:  # as in a sandbox, where it could not be
            # As Python does: whole or not at all, readable for every user that may read the source,
            # and a folder that cannot be written is no error.
            self.set_data(str(cached), marshal.dumps(code) + origin)
        return code
