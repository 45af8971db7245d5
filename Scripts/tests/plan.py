"""Divides the tests into batches. Nothing here reads a file or starts a process."""

import re
from dataclasses import dataclass

# How long something may take that has not been measured yet.
UNKNOWN_SECONDS = 5.0

PART = re.compile(r"(?:`[^`]*`|[^/`])+")
SPECIAL = re.compile(r"([\\^$.|?*+()\[\]{}])")


@dataclass(frozen=True)
class Item:
    """The smallest part that a process is started for: a Swift suite with everything in it, a Swift test outside any
    suite, or a file of Python tests.

    `tests` are the ids of its tests; a file of Python tests has none before it runs.
    """

    kind: str
    name: str
    seconds: float = UNKNOWN_SECONDS
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Batch:
    """What one process runs, one test after the other."""

    items: tuple[Item, ...]
    alone: bool = False

    @property
    def kind(self):
        return self.items[0].kind

    @property
    def seconds(self):
        return sum(item.seconds for item in self.items)

    @property
    def tests(self):
        return [test for item in self.items for test in item.tests]

    @property
    def title(self):
        """A short name for its log."""
        return re.sub(r"\W+", "-", self.items[0].name.removesuffix(".py")).strip("-")


def owner(test):
    """The outermost suite of a test, or the test itself if it is in none, with its module: "NodeTests.PageTests".

    An id is a module, a point, the suites and the function, and the place in the source, with slashes between them.
    What is in backticks may hold slashes and points too.
    """
    module, rest = test.split(".", 1)
    return f"{module}.{PART.findall(rest)[0]}"


def suites(listed, seconds):
    """The Swift items of a list of tests, one id a line."""
    tests = {}
    for test in listed.splitlines():
        if test:
            tests.setdefault(owner(test), []).append(test)
    return [
        Item("swift", name, seconds.get(name, UNKNOWN_SECONDS), tuple(ids)) for name, ids in sorted(tests.items())
    ]


def pattern(names):
    """A regular expression for --filter that matches the ids of all tests in these items, and of no others.

    It ends with a slash: every id goes on with a nested suite, a function or a place in the source there.
    """
    modules = {}
    for name in names:
        module, rest = name.split(".", 1)
        modules.setdefault(module, []).append(SPECIAL.sub(r"\\\1", rest))
    within = "|".join(rf"{module}\.(?:{'|'.join(sorted(rests))})" for module, rests in sorted(modules.items()))
    return f"^(?:{within})/"


def batches(items, share, floor, own=(), alone=()):
    """Divides items of one kind into batches, which get shorter towards the end so that all workers finish together.

    A batch takes `share` of the seconds that are left, at least `floor`, or one item if that alone takes longer. The
    items named in `own` get a process for themselves, those in `alone` also a time when nothing else runs.
    """
    made = [Batch((item,), item.name in alone) for item in items if item.name in own or item.name in alone]
    left = [item for item in items if item.name not in own and item.name not in alone]
    left.sort(key=lambda item: (-item.seconds, item.name))
    while left:
        size = max(floor, share * sum(item.seconds for item in left))
        taken = [left[0]]
        filled = left[0].seconds
        for item in left[1:]:
            if filled + item.seconds <= size:
                taken.append(item)
                filled += item.seconds
        made.append(Batch(tuple(taken)))
        chosen = {item.name for item in taken}
        left = [item for item in left if item.name not in chosen]
    return made


def queue(made):
    """The order in which batches start: the longest first, and last those that run alone."""
    return sorted(made, key=lambda batch: (batch.alone, -batch.seconds, batch.title))


def chosen(items, names):
    """The items that names mean (a suite, a file, or all of a module or folder), and the names that mean none."""
    found, unknown = [], []
    for name in names:
        meant = [item for item in items if name in called(item)]
        found += [item for item in meant if item not in found]
        if not meant:
            unknown.append(name)
    return found, unknown


def called(item):
    """The names that an item goes by."""
    if item.kind == "swift":
        module, rest = item.name.split(".", 1)
        return {item.name, module, rest}
    folder, file = item.name.rsplit("/", 1)
    return {item.name, file, file.removesuffix(".py"), folder, folder.rsplit("/", 1)[-1]}
