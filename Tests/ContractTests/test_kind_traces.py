"""The committed traces are what the contracts do; `make_kind_traces.py --check` compares all of them."""

import subprocess
import sys
from pathlib import Path

import pytest

# A process of its own, because addresses depend on all that was deployed before.
SCRIPT = """
import sys
import make_kind_traces as m
kind = sys.argv[1]
_, traces = m.make(kind, m.STEPS[kind], 0, traces=2)
text = (m.VECTORS / f"{kind}-traces.json").read_text()
assert text.split('"traces": [\\n')[1].startswith(",\\n".join(map(m.line, traces)))
"""


@pytest.mark.parametrize("kind", ["auction", "direct"])
def test_the_first_traces_are_current(kind):
    here = Path(__file__).resolve().parent
    run = subprocess.run([sys.executable, "-c", SCRIPT, kind], cwd=here, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
