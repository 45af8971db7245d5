"""Finds every small change of the contracts that a test should notice.

A mutation is a piece of a source and what replaces it, made by an operator and not by hand: every
assertion goes, every comparison, sign, bound and truth value is turned, every statement that writes,
credits, logs or moves is left out, every field of an event is emptied, every status is another, and
every lock is opened.
"""

import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from vyper.ast import nodes, parse_to_ast

COMPARISONS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="]}
ARITHMETIC = {
    "+": ["-"], "-": ["+"], "*": ["//"], "//": ["*"], "%": ["//"], "+=": ["-="], "-=": ["+="],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"],
}
WORDS = {"and": ["or"], "or": ["and"], "True": ["False"], "False": ["True"]}
IMPORTS = re.compile(r"^import (\w+)", re.MULTILINE)
# Statements that may be left out: what is written, called and logged.
STATEMENTS = (nodes.Assign, nodes.AugAssign, nodes.Expr, nodes.Log)


@dataclass(frozen=True)
class Mutation:
    """One change: the characters from `start` to `end` of a source become `text`."""

    source: str
    start: int
    end: int
    text: str
    line: int
    operator: str
    was: str

    def apply(self, text: str) -> str:
        return text[:self.start] + self.text + text[self.end:]

    def __str__(self) -> str:
        change = f"{self.was!r} → {self.text!r}" if self.text else f"{self.was!r} is left out"
        return f"{self.source}:{self.line} {self.operator}: {change}"


class Finder:
    """All mutations of one source."""

    def __init__(self, path: Path):
        self.name, self.text = path.name, path.read_text()
        # Event → field → its type, and member → all members of its flag, as far as the source knows.
        self.events: dict[str, dict[str, str]] = {}
        self.flags: dict[str, list[str]] = {}
        for module in IMPORTS.findall(self.text):
            imported = path.with_name(f"{module}.vy")
            if imported.exists():
                self.read(imported)
        self.read(path)
        self.tree = parse_to_ast(self.text)
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts
        self.found: list[Mutation] = []

    def read(self, path: Path) -> None:
        """Takes the fields of a source's events, and the members of its flags."""
        tree = parse_to_ast(path.read_text())
        for event in tree.get_children(nodes.EventDef):
            fields = self.events[event.name] = {}
            for field in event.body:
                if not hasattr(field, "annotation"):
                    continue
                kind = re.sub(r"^indexed\((.*)\)$", r"\1", field.annotation.node_source_code)
                fields[field.target.id] = kind
        for flag in tree.get_children(nodes.FlagDef):
            names = [member.value.id for member in flag.body]
            self.flags |= {name: names for name in names}

    def all(self) -> list[Mutation]:
        for function in self.tree.get_children(nodes.FunctionDef):
            self.lock(function)
            self.statements(function)
            self.tokens(self.body(function))
        for constant in self.tree.get_children(nodes.VariableDecl):
            if constant.is_constant:
                self.constant(constant)
        return sorted(set(self.found), key=lambda m: (m.start, m.operator, m.text))

    def add(self, start: int, end: int, text: str, operator: str) -> None:
        line = self.text.count("\n", 0, start) + 1
        was = " ".join(self.text[start:end].split())
        self.found.append(Mutation(self.name, start, end, text, line, operator, was))

    def span(self, node) -> tuple[int, int]:
        """The characters of a node."""
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def body(self, function) -> tuple[int, int]:
        """The characters of a function's statements."""
        return self.span(function.body[0])[0], self.span(function.body[-1])[1]

    def lock(self, function) -> None:
        """Opens the lock of a function that writes."""
        names = {d.id for d in function.decorator_list if hasattr(d, "id")}
        start = self.starts[function.lineno - 1]
        head = self.text.rindex("@external", 0, start) if "external" in names else None
        if head is None or names & {"view", "pure", "reentrant", "deploy"}:
            return
        if "nonreentrant" in names:
            at = self.text.index("@nonreentrant\n", head)
            self.add(at, at + len("@nonreentrant\n"), "", "lock")
        elif "pragma nonreentrancy on" in self.text:
            self.add(head, head, "@reentrant\n", "lock")

    def statements(self, function) -> None:
        """Leaves statements out, removes assertions, empties fields of events."""
        for assertion in function.get_descendants(nodes.Assert):
            self.add(*self.span(assertion), "pass", "assertion")
        for statement in function.get_descendants(STATEMENTS):
            self.add(*self.span(statement), "pass", "statement")
        for log in function.get_descendants(nodes.Log):
            name = self.text[slice(*self.span(log.value.func))].split(".")[-1]
            for keyword in log.value.keywords:
                kind = self.events.get(name, {}).get(keyword.arg)
                if kind:
                    self.add(*self.span(keyword.value), f"empty({kind})", "event field")

    def tokens(self, span: tuple[int, int]) -> None:
        """Turns operators, words, numbers and statuses between two places."""
        first = self.text.count("\n", 0, span[0])
        offset = self.starts[first]
        reader = io.StringIO(self.text[offset:span[1]] + "\n").readline
        tokens = []
        try:
            for token in tokenize.generate_tokens(reader):
                tokens.append(token)
        except (tokenize.TokenError, IndentationError):
            pass  # the piece begins within a block; what came before the end is complete
        for index, token in enumerate(tokens):
            start = self.starts[first + token.start[0] - 1] + token.start[1]
            end = start + len(token.string)
            if start < span[0]:
                continue
            before = tokens[index - 1].string if index else ""
            for text in self.turned(token, before):
                self.add(start, end, text, "token")

    def turned(self, token, before: str) -> list[str]:
        """What may stand in a token's place."""
        string = token.string
        if token.type == tokenize.OP:
            return COMPARISONS.get(string, []) + ARITHMETIC.get(string, [])
        if token.type == tokenize.NUMBER and not string.startswith("0x"):
            value = int(string.replace("_", ""))
            return [str(value + 1)] + ([str(value - 1)] if value else [])
        if string in WORDS:
            return WORDS[string]
        if string == "not":
            return [""]
        if token.type == tokenize.NAME and before == "." and string in self.flags:
            names = self.flags[string]
            return [names[(names.index(string) + 1) % len(names)]]
        return []

    def constant(self, declared) -> None:
        """Turns a constant's value: a number by one, an operator of an expression."""
        value = self.span(declared.value)
        if self.text[slice(*value)].startswith(("0x", "[")):
            return
        self.tokens(value)


def find(folder: Path) -> list[Mutation]:
    """All mutations of all sources of a folder, in a fixed order."""
    return [mutation for path in sorted(folder.glob("*.vy")) for mutation in Finder(path).all()]
