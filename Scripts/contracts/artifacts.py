"""Compiles the contracts to Sources/Contracts/Artifacts; with `--check` only compares the files there.

One JSON file a contract: its ABI, creation and runtime bytecode, the compiler's version and the
hash of all its sources. The same texts are in EmbeddedArtifacts.swift, for the program. Files in
lower case are modules, parts of contracts. Vyper's output depends only on the sources and versions,
so comparing bytes is enough. Scripts/compile-contracts creates the environment and runs this.
"""

import argparse
import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path

CONTRACTS = Path(__file__).resolve().parents[2] / "Sources" / "Contracts"
OUTPUTS = "abi,bytecode,bytecode_runtime,integrity"
EMBEDDED = "Bindings/EmbeddedArtifacts.swift"
# String literals, because the compiler takes a minute for arrays of so many bytes.
SWIFT = """\
// Made by Scripts/compile-contracts from Sources/Contracts/Vyper.
// swift-format-ignore-file

/// The texts of the files in Sources/Contracts/Artifacts, as parts of the program.
enum EmbeddedArtifacts {
%s
}
"""


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


def embedded(texts: dict) -> str:
    """Returns the Swift file that holds the artifacts, each as a raw string."""
    constants = []
    for name, text in texts.items():
        constants.append(f'    static let {name[0].lower()}{name[1:]} = #"""\n{text}\n"""#')
    return SWIFT % "\n\n".join(constants)


def main() -> None:
    usage = argparse.ArgumentParser(prog="compile-contracts", description=__doc__)
    usage.add_argument("--check", action="store_true", help="compare, write nothing")
    usage.add_argument("--into", type=Path, help="another Contracts folder (the mutants')")
    options = usage.parse_args()
    check, contracts = options.check, options.into / "Contracts" if options.into else CONTRACTS
    texts = {s.stem: artifact(s) for s in sorted((contracts / "Vyper").glob("[A-Z]*.vy"))}
    wanted = {f"Artifacts/{name}.json": text for name, text in texts.items()} | {EMBEDDED: embedded(texts)}
    paths = [*(contracts / "Artifacts").glob("*.json"), *contracts.glob(EMBEDDED)]
    found = {str(path.relative_to(contracts)): path.read_text() for path in paths}
    stale = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if check and stale:
        sys.exit(f"compile-contracts: {', '.join(stale)} stale; run Scripts/compile-contracts")
    for name in stale:
        if name in wanted:
            (contracts / name).parent.mkdir(exist_ok=True)
            (contracts / name).write_text(wanted[name])
        else:
            (contracts / name).unlink()
    print(f"compile-contracts: {len(texts)} contracts, {len(stale)} files changed")


main()
