"""Changes one line of Auction or DirectSale at a time and shows that their tests notice every change.

A mutant is a source text, a replacement, and what it would mean. Each is compiled to a folder of
its own and tested through STOA_ARTIFACTS. Takes some minutes.

    .venv/bin/python Tests/ContractTests/kind_mutants.py [number …]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONTRACTS = ROOT / "Sources" / "Contracts"
AUCTION, DIRECT = "Auction.vy", "DirectSale.vy"
TESTS = {AUCTION: ["test_auction.py", "test_auction_hazards.py"], DIRECT: ["test_direct.py"]}
# Lines that several mutants change.
CHECK_AUCTION = (
    "    market._check_listing(offer.seller, offer.promise, offer.terms.currency, offer.terms.starting_bid)\n"
)
CREDIT_OUTBID = "        money._credit(offer.terms.currency, sale.bidder, sale.highest, id)\n"
CREDIT_AUCTION = "    market._credit_proceeds(offer.terms.currency, offer.seller, maker, payout, id)\n"
RELEASE_BACK = "    market._release_item(sale.token, offer.seller)\n"
EXTENSION = "terms.extension >= MINUTE and terms.extension <= DAY"
ENCODED = "abi_encode(chain.id, self, offer)"
# Of pytest's summary: the test that failed.
KILLER = re.compile(r"^(?:FAILED|ERROR) \S+?::(.+?)(?: - |$)", re.MULTILINE)
LOCKS = [
    (AUCTION, f"{decorator}\ndef {name}(", f"{decorator}\n@reentrant\ndef {name}(", f"`{name}` while money moves")
    for name, decorator in [("list", "@external"), ("abort", "@external"), ("bid", "@payable"), ("end", "@external")]
] + [
    (DIRECT, f"{decorator}\ndef {name}(", f"{decorator}\n@reentrant\ndef {name}(", f"`{name}` while money moves")
    for name, decorator in [("list", "@external"), ("abort", "@external"), ("pay", "@payable")]
]
MUTANTS = LOCKS + [
    (AUCTION, "assert self.words[id].who == 0", "assert True", "an auction over another"),
    (AUCTION, CHECK_AUCTION, "", "anything is listed for anyone"),
    (AUCTION, "    self._check_terms(offer.terms)\n", "", "any terms"),
    (AUCTION, "assert token <= TOKEN_MAX", "assert True", "a token's number spoils the status"),
    (AUCTION, "ends + EXTENSIONS_MAX)", "ends)", "late bids extend nothing"),
    (AUCTION, 'assert msg.sender == offer.seller, "auction: only', 'assert True, "auction: only', "anyone aborts"),
    (AUCTION, "assert sale.status == Status.READY", "assert True", "a seller aborts in spite of a bid"),
    (AUCTION, 'assert block.timestamp < sale.ends, "auction: the bidding has ended"\n    self._end',
     'assert True, "auction: the bidding has ended"\n    self._end', "aborted after the end"),
    (AUCTION, "assert msg.sender != offer.seller", "assert True", "the seller bids"),
    (AUCTION, 'assert block.timestamp < sale.ends, "auction: the bidding has ended"\n    minimum',
     'assert block.timestamp <= sale.ends, "auction: the bidding has ended"\n    minimum', "a bid at the end"),
    (AUCTION, "minimum: uint256 = offer.terms.starting_bid", "minimum: uint256 = 1", "a first bid of one"),
    (AUCTION, "max(1, sale.highest * offer.terms.min_increment_bps // BPS)",
     "sale.highest * offer.terms.min_increment_bps // BPS", "an equal bid overtakes"),
    (AUCTION, "sale.highest * offer.terms.min_increment_bps // BPS",
     "sale.highest * 500 // BPS", "the increment of the term is ignored"),
    (AUCTION, "sale.highest * offer.terms.min_increment_bps // BPS",
     "(sale.highest * offer.terms.min_increment_bps + BPS - 1) // BPS", "the increment is rounded up"),
    (AUCTION, "assert amount >= minimum", "assert amount > minimum", "X-07: the starting bid is refused"),
    (AUCTION, "assert amount <= money.AMOUNT_MAX", "assert True", "a bid that spoils the times"),
    (AUCTION, "if block.timestamp + offer.terms.extension >= ends:", "if True:", "each bid sets the end"),
    (AUCTION, "if block.timestamp + offer.terms.extension >= ends:", "if False:", "no bid extends"),
    (AUCTION, "min(block.timestamp + offer.terms.extension, sale.last_end)",
     "block.timestamp + offer.terms.extension", "an auction without an end"),
    (AUCTION, "min(block.timestamp + offer.terms.extension, sale.last_end)",
     "min(ends + offer.terms.extension, sale.last_end)", "extended from the end, not from the bid"),
    (AUCTION, "    self._save_who(id, Status.BID, msg.sender, sale.token)\n", "", "bids without a bidder"),
    (AUCTION, "    self._save_what(id, amount, ends, sale.last_end)\n", "", "bids of nothing"),
    (AUCTION, CREDIT_OUTBID, "", "outbid money is kept"),
    (AUCTION, CREDIT_OUTBID,
     CREDIT_OUTBID.replace("sale.bidder", "msg.sender"), "outbid money goes to the other"),
    (AUCTION, CREDIT_OUTBID,
     CREDIT_OUTBID.replace("sale.highest", "amount"), "the new bid is credited to the old bidder"),
    (AUCTION, "    money._collect(offer.terms.currency, amount)\n", "", "bids are not paid"),
    (AUCTION, "assert block.timestamp >= sale.ends", "assert block.timestamp > sale.ends", "an end a second late"),
    (AUCTION, "assert block.timestamp >= sale.ends", "assert True", "an end at any time"),
    (AUCTION, "self._end(id, offer, sale, Status.SOLD)", "self._end(id, offer, sale, Status.UNSOLD)",
     "the seller keeps the token and is paid"),
    (AUCTION, ENCODED, "abi_encode(chain.id, offer)", "the same id in another contract"),
    (AUCTION, "assert sale.status in (Status.READY | Status.BID)", "assert sale.status != empty(Status)",
     "an auction ends twice"),
    (AUCTION, "increment >= INCREMENT_BPS_MIN and", "", "an increment of nothing"),
    (AUCTION, "increment <= INCREMENT_BPS_MAX", "increment <= INCREMENT_BPS_MAX + 1", "too large an increment"),
    (AUCTION, EXTENSION, "terms.extension <= DAY", "no extension"),
    (AUCTION, EXTENSION, "terms.extension >= MINUTE", "too long an extension"),
    (AUCTION, "assert terms.duration >= terms.extension", "assert True", "a duration of nothing"),
    (AUCTION, "assert terms.duration <= DURATION_MAX", "assert True", "an auction of years"),
    (AUCTION, "        receiver = sale.bidder\n", "        receiver = msg.sender\n", "who ends it takes the token"),
    (AUCTION, "    self._save_who(id, status, sale.bidder, sale.token)\n", "", "an end without a trace"),
    (AUCTION, "market._proceeds(sale.highest)", "market._proceeds(sale.highest // 2)", "half of the bid is lost"),
    (AUCTION, CREDIT_AUCTION, "", "nobody is paid"),
    (AUCTION, "market._credit_proceeds(offer.terms.currency, offer.seller, maker",
     "market._credit_proceeds(offer.terms.currency, offer.seller, offer.seller", "the seller takes the royalty"),
    (AUCTION, "    market._release_item(sale.token, receiver)\n", "", "the token stays"),
    (DIRECT, "assert self.words[id] == 0", "assert True", "a sale over another"),
    (DIRECT, "    market._check_listing(offer.seller, offer.promise, offer.terms.currency, offer.terms.price)\n", "",
     "anything is listed for anyone"),
    (DIRECT, "assert offer.terms.offer_until > block.timestamp", "assert True", "an offer of no time"),
    (DIRECT, "assert offer.terms.offer_until <= block.timestamp + OFFER_MAX", "assert True", "an offer for ever"),
    (DIRECT, "assert token <= TOKEN_MAX", "assert True", "a token's number spoils the time"),
    (DIRECT, "assert msg.sender != offer.seller", "assert True", "the seller pays himself"),
    (DIRECT, "assert block.timestamp < offer.terms.offer_until", "assert block.timestamp <= offer.terms.offer_until",
     "paid a second too late"),
    (DIRECT, "    money._collect(offer.terms.currency, offer.terms.price)\n", "", "a sale for nothing"),
    (DIRECT, "    market._release_item(sale.token, msg.sender)\n", "", "paid, and no token"),
    (DIRECT, "    if msg.sender != offer.seller:\n        assert block.timestamp >= offer.terms.offer_until",
     "    if msg.sender != offer.seller:\n        assert True", "anyone aborts at any time"),
    (DIRECT, "        assert block.timestamp >= offer.terms.offer_until",
     "        assert block.timestamp > offer.terms.offer_until", "a second in which nothing is possible"),
    (DIRECT, "    if msg.sender != offer.seller:\n        assert block", "    if True:\n        assert block",
     "the seller waits for the end"),
    (DIRECT, RELEASE_BACK, RELEASE_BACK.replace("offer.seller", "msg.sender"),
     "who aborts takes the token"),
    (DIRECT, "empty(address), 0)\n    market._release", "empty(address), 1)\n    market._release",
     "an aborted sale pays"),
    (DIRECT, ENCODED, "abi_encode(self, offer.terms, offer.seller, offer.salt, offer.token)",
     "another promise under the same id"),
    (DIRECT, "assert sale.status == Status.READY", "assert sale.status != empty(Status)", "an ended sale goes on"),
    (DIRECT, "    self._save(id, status, buyer, token, offer.terms.offer_until)\n", "", "an end without a trace"),
    (DIRECT, "market._credit_proceeds(offer.terms.currency, offer.seller, maker",
     "market._credit_proceeds(offer.terms.currency, offer.seller, offer.seller", "the seller takes the royalty"),
    (DIRECT, "        receiver = buyer\n", "        pass\n", "the event names the wrong receiver"),
]


def outcome(index: int) -> str:
    """`killed by` a test, or why the mutant lives."""
    name, old, new, _ = MUTANTS[index]
    with tempfile.TemporaryDirectory() as folder:
        vyper, artifacts = Path(folder, "Contracts", "Vyper"), Path(folder, "Contracts", "Artifacts")
        vyper.mkdir(parents=True)
        for part in (name, "market.vy", "money.vy"):
            shutil.copy(CONTRACTS / "Vyper" / part, vyper)
        text = (vyper / name).read_text()
        if text.count(old) != 1:
            return f"stale: its text is there {text.count(old)} times"
        (vyper / name).write_text(text.replace(old, new))
        script = ROOT / "Scripts" / "contracts" / "artifacts.py"
        made = subprocess.run([sys.executable, script, "--into", folder], capture_output=True, text=True)
        if made.returncode:
            return f"does not compile: {made.stderr[-300:]}"
        for path in (CONTRACTS / "Artifacts").glob("*.json"):
            if path.stem != Path(name).stem:
                shutil.copy(path, artifacts)
        tests = fast_tests(artifacts, TESTS[name])
        if tests.returncode == 1:
            return f"killed by {', '.join(re.findall(KILLER, tests.stdout)) or 'a fault'}"
        return "lives" if tests.returncode == 0 else tests.stdout[-500:]


def fast_tests(artifacts: Path, tests: list[str]) -> subprocess.CompletedProcess:
    """Runs tests on a folder of artifacts until one fails."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-n", "0", *tests],
        cwd=HERE, env={**os.environ, "STOA_ARTIFACTS": str(artifacts)}, capture_output=True, text=True,
    )


def main() -> None:
    sound = fast_tests(CONTRACTS / "Artifacts", [test for tests in TESTS.values() for test in tests])
    if sound.returncode:
        sys.exit(f"kind_mutants: the tests fail without a mutant\n{sound.stdout[-2_000:]}")
    print("kind_mutants: the tests pass without one", flush=True)
    chosen = [int(n) for n in sys.argv[1:]] or list(range(len(MUTANTS)))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for index, result in zip(chosen, pool.map(outcome, chosen)):
            failed += not result.startswith("killed")
            print(f"{index:3} {MUTANTS[index][0]}: {MUTANTS[index][3]}: {result}", flush=True)
    print(f"kind_mutants: {len(chosen) - failed} of {len(chosen)} killed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
