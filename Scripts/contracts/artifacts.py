"""Compiles the contracts to Sources/Contracts/Artifacts; with `--check` only compares the files there.

One JSON file a contract: its ABI, creation and runtime bytecode, the compiler's version and the
hash of all its sources. Files in lower case are modules, parts of contracts. Vyper's output depends
only on the sources and versions, so comparing bytes is enough. Scripts/compile-contracts creates the
environment and runs this.
"""

import argparse
import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

CONTRACTS = Path(__file__).resolve().parents[2] / "Sources" / "Contracts"
OUTPUTS = "abi,bytecode,bytecode_runtime,integrity"


def artifact(source: Path) -> str:
    """Returns the text of one contract's artifact; exits with the compiler's message if it refuses."""
    vyper = subprocess.run(
        [sys.executable, "-m", "vyper", "-f", OUTPUTS, source.name],
        cwd=source.parent,
        capture_output=True,
        text=True,
    )
    if vyper.returncode:
        sys.exit(f"compile-contracts: {source.name} does not compile\n{vyper.stderr}")
    abi, creation, runtime, integrity = vyper.stdout.splitlines()
    fields = {
        "contract": source.stem,
        "compiler": f"vyper {importlib.metadata.version('vyper')}",
        "evm_version": "london",
        "source_integrity": integrity,
        "abi": json.loads(abi),
        "bytecode": creation,
        "runtime_bytecode": runtime,
    }
    return layout(fields)


def layout(fields: dict) -> str:
    """Returns JSON with one line for each field and each entry of the ABI, so that differences are readable."""
    lines = []
    for name, value in fields.items():
        if isinstance(value, list):
            text = "[\n    " + ",\n    ".join(json.dumps(entry) for entry in value) + "\n  ]"
        else:
            text = json.dumps(value)
        lines.append(f"  {json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    usage = argparse.ArgumentParser(prog="compile-contracts", description=__doc__)
    usage.add_argument("--check", action="store_true", help="compare, write nothing")
    usage.add_argument("--into", type=Path, help="another Contracts folder (the mutants')")
    options = usage.parse_args()
    check, contracts = options.check, options.into / "Contracts" if options.into else CONTRACTS
    folder = contracts / "Artifacts"
    folder.mkdir(exist_ok=True)
    wanted = {f"{s.stem}.json": artifact(s) for s in sorted((contracts / "Vyper").glob("[A-Z]*.vy"))}
    found = {path.name: path.read_text() for path in folder.glob("*.json")}
    stale = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if check and stale:
        sys.exit(f"compile-contracts: {', '.join(stale)} stale; run Scripts/compile-contracts")
    for name in stale:
        if name in wanted:
            (folder / name).write_text(wanted[name])
        else:
            (folder / name).unlink()
    print(f"compile-contracts: {len(wanted)} contracts, {len(stale)} artifacts changed")


main()
