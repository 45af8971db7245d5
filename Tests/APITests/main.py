"""Calls every operation of a running node's API as its document describes it, with schemathesis.

main.py --stoa PROGRAM --schemathesis PROGRAM [--seconds N] [--seed N]; exit code 0 if the node keeps to its document.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "Scripts", "play"))

from caller import Caller  # noqa: E402
from market import NotHeld, Stoa, say, until  # noqa: E402

PASSWORD = "correct horse"
BICYCLE = {
    "type": "goods", "title": "Red bicycle", "description": "Ridden for two summers.", "category": "vehicles",
    "tags": ["bicycle"], "price": {"amount": "1000000000000000", "currency": "native"}, "payment": "escrow",
    "identifier": "WTU 123 456", "delivery": "shipping", "shipsTo": ["DE"],
}


def people(stoa, node):
    """Two accounts with money, a listing and a conversation between them, so that lists have something in them."""
    found = []
    for name in ("ana", "bo"):
        person = Caller(name, node, PASSWORD)
        person.create()
        stoa.quietly("cluster", "fund", person.address, "--ether", "100", "--folder", stoa.cluster)
        person.sign_in()
        until(f"{name} has money", lambda p=person: any(int(b["amount"]) for b in p.get("wallet")["balances"]))
        found.append(person)
    ana, bo = found
    ana.do("POST", "listings", BICYCLE)
    ana.do("POST", "listings", BICYCLE | {
        "title": "Signed print", "identifier": "print 7 of 20", "payment": "auction",
        "auction": {"durationSeconds": 604800, "minIncrement": 500, "extensionSeconds": 600},
    })
    ana.do("POST", "listings", BICYCLE | {
        "title": "Unsigned print", "identifier": "print 8 of 20", "payment": "direct",
    })
    soon = int(time.time()) + 30 * 86_400
    ana.do("POST", "listings", BICYCLE | {
        "title": "Knots", "type": "course", "category": "course", "payment": "enrolment", "delivery": "online",
        "identifier": "", "shipsTo": [], "course": {"seats": 12, "startsAt": soon, "endsAt": soon + 86_400},
    })
    talk = bo.ask("POST", "conversations", {"with": ana.address})
    bo.write(talk["id"], "Is it still there?")
    ana.wait("ana has the message", lambda: ana.get("conversations?requests=true")["items"])
    return found


def configuration(folder, ana, bo):
    """A copy of schemathesis.toml that knows what is there."""
    listings = ana.get("listings")["items"]
    known = {
        "listings": [listing["id"] for listing in listings],
        "sales": [listing["anchor"]["sale"] for listing in listings], "operations": ana.operations,
        "conversations": [talk["id"] for talk in ana.get("conversations?requests=true")["items"]],
        "accounts": [bo.address],
    }
    path = os.path.join(folder, "schemathesis.toml")
    with open(os.path.join(HERE, "schemathesis.toml")) as file, open(path, "w") as copy:
        copy.write(file.read())
        for name, values in known.items():
            copy.write(f"\n[dictionaries.{name}]\nvalues = {json.dumps(values)}\n")
    return path


def environment(ana, bo, node):
    """What Tests/APITests/schemathesis.toml refers to."""
    with open(os.path.join(node["data"], "node.token")) as file:
        operator = file.read().strip()
    # Signing out ends a session of its own.
    leaving = Caller(bo.name, node, PASSWORD)
    leaving.sign_in()
    return os.environ | {
        "STOA_ACCOUNT": f"Bearer {ana.token}", "STOA_OPERATOR": f"Bearer {operator}",
        "STOA_LEAVING": f"Bearer {leaving.token}",
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stoa", required=True)
    parser.add_argument("--schemathesis", required=True)
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="stoa-api-")
    stoa = Stoa(os.path.abspath(arguments.stoa), os.path.join(folder, "market"))
    held = False
    try:
        # Keystores that open at once: passwords are not what is tried here.
        os.environ["STOA_KEYSTORE_SCRYPT_COST"] = "1024"
        stoa.on_cluster("up", "--nodes", "1")
        node = stoa.report()["members"][0]
        ana, bo = people(stoa, node)
        command = [
            os.path.abspath(arguments.schemathesis), "--config-file", configuration(folder, ana, bo), "run",
            node["api"] + "/v1/openapi.json", "--url", node["api"],
            "--max-time", str(arguments.seconds), "--seed", str(arguments.seed),
        ]
        # The time is a bound on the search; one on all of it stands above that.
        result = subprocess.run(command, env=environment(ana, bo, node), cwd=folder, timeout=3 * arguments.seconds + 120)
        held = result.returncode == 0
        ana.get("node")
    except (NotHeld, subprocess.TimeoutExpired) as error:
        say(f"check-api: {error}")
    finally:
        subprocess.run([stoa.path, "cluster", "down", "--folder", stoa.cluster], stdout=subprocess.DEVNULL)
        if held:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            say(f"check-api: the node's log is below {stoa.cluster}")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
