#!/usr/bin/env python3
"""Holds our Ethereum code against eth-account, eth-abi, eth-keyfile and web3.py, both ways.

    ethereum_check.py check FILE [--every-kind]     compares what Swift wrote with the libraries
    ethereum_check.py make FILE [--seed N] [--cases N]  writes cases that Swift must reproduce

`check` prints how many cases of each kind ran and every difference; it exits with 0 only where
there was at least one case and no difference. `--every-kind` also demands each kind below.

A file holds JSON objects, one a line: {"kind": …, "input": {…}, "output": {…}}. The same format
goes both ways: whoever wrote the line computed `output` from `input`; the other computes it
anew and compares. Bytes are "0x…" in lower case; addresses have EIP-55 case; ABI integers and
integers in typed data are decimal strings; quantities of a transaction are "0x…" without
leading zeros. Texts are any Unicode; a keystore's password is its UTF-8 as it stands, a recovery
phrase and its passphrase are NFKD-normalised as BIP-39 wants. A `make` with the same seed writes
the same cases, but for the keystores' salts.

kind          input → output
keccak        {data} → {hash}
address       {privateKey} → {publicKey (65 bytes, 0x04…), address}
phrase        {mnemonic, passphrase, path} → {privateKey, address}        BIP-39, BIP-32
recover       {hash, signature} → {address}            signature: r ‖ s ‖ v, v 27 or 28
typed-data    {privateKey, typedData} → {hash, signature}                 EIP-712; typedData has
              types (EIP712Domain included), primaryType, domain, message; chainId is a string
transaction   {privateKey, transaction} → {raw, hash}     transaction: {type "0x0" "0x1" "0x2",
              chainId, nonce, gas, to (or null), value, data, gasPrice | maxFeePerGas and
              maxPriorityFeePerGas, accessList [{address, storageKeys}] for types 1 and 2}
abi           {types [text], values} → {encoded}          types in canonical form, tuples as
              "(uint8,bytes)[2]"; values: integers as decimal strings, bytes "0x…", addresses,
              booleans, texts, arrays and tuples as lists. Decoding `encoded` must give `values`.
selector      {signature} → {selector (4 bytes), topic (32 bytes)}
rlp           {item} → {encoded}                          item: bytes "0x…" or a list of items
keystore      {keystore, password} → {privateKey, address}    version 3; scrypt or pbkdf2.
              For `check`, Swift writes a keystore of its own and the key that is in it.
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from ethereum_cases import MAKERS
from ethereum_kinds import KINDS

SHOWN_MAX = 20


def main():
    parser = argparse.ArgumentParser(description="Compares Ethereum encodings and signatures.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    check_verb = verbs.add_parser("check")
    check_verb.add_argument("file", type=Path)
    check_verb.add_argument("--every-kind", action="store_true")
    make_verb = verbs.add_parser("make")
    make_verb.add_argument("file", type=Path)
    make_verb.add_argument("--seed", type=int, default=1)
    make_verb.add_argument("--cases", type=int, default=1_000)
    options = parser.parse_args()
    if options.verb == "make":
        make(options.file, options.seed, options.cases)
        return 0
    return check(options.file, options.every_kind)


def make(path, seed, cases):
    """Writes `cases` cases, the kinds in turn by their weight."""
    source, counts = random.Random(seed), Counter()
    turns = [kind for kind, (weight, _) in MAKERS.items() for _ in range(weight)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(cases):
            kind = turns[number % len(turns)]
            given = MAKERS[kind][1](source)
            line = {"kind": kind, "input": given, "output": KINDS[kind](given)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            counts[kind] += 1
    report("made", counts, f"seed {seed}")


def check(path, every_kind):
    """Computes every output anew; returns the exit code."""
    counts, differences = Counter(), []
    with path.open(encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if text.strip():
                kind, found = difference(text)
                counts[kind] += 1
                differences += [f"line {number}, {kind}: {found}"] if found else []
    for line in differences[:SHOWN_MAX]:
        print(line)
    if len(differences) > SHOWN_MAX:
        print(f"… and {len(differences) - SHOWN_MAX} more")
    report("checked", counts, f"{len(differences)} differences")
    missing = sorted(set(KINDS) - set(counts)) if every_kind else []
    if missing:
        print("no case of: " + ", ".join(missing))
    if not counts:
        print(f"no case in {path}")
    return 1 if differences or missing or not counts else 0


def difference(text):
    """The kind of a line and, where it differs from the libraries, how."""
    try:
        line = json.loads(text)
        kind, given, output = line["kind"], line["input"], line["output"]
        compute = KINDS[kind]
    except (ValueError, KeyError, TypeError) as error:
        return "unreadable", f"{type(error).__name__}: {error}"
    try:
        expected = compute(given)
    except Exception as error:  # the libraries refuse the input, each in its own way
        return kind, f"refused: {type(error).__name__}: {error}"
    if output == expected:
        return kind, None
    if not isinstance(output, dict):
        return kind, f"output is {output!r}"
    fields = [f"{name} is {output.get(name)!r}, should be {expected.get(name)!r}"
              for name in sorted(set(expected) | set(output))
              if output.get(name) != expected.get(name)]
    return kind, "; ".join(fields) + f"; input {json.dumps(given)[:2_000]}"


def report(verb, counts, end):
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"{verb} {sum(counts.values())} cases ({kinds}); {end}")


if __name__ == "__main__":
    sys.exit(main())
