"""The committed traces are what the contract says today; `make_traces.py --check` compares all."""

import subprocess
import sys
from pathlib import Path

# A process of its own, because addresses depend on all that was deployed before.
SCRIPT = """
import make_traces as m
_, traces = m.make(2)
assert m.PATH.read_text().split('"traces": [\\n')[1].startswith(",\\n".join(map(m.line, traces)))
"""


def test_the_first_traces_are_current():
    here = Path(__file__).resolve().parent
    run = subprocess.run([sys.executable, "-c", SCRIPT], cwd=here, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
