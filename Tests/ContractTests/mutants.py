"""Changes one line of the contracts at a time and shows that the fast tests notice every change.

A mutant is a source text, a replacement, and what it would mean. Each is compiled to a folder of
its own and tested through STOA_ARTIFACTS. Run by `Scripts/check contracts`; takes some minutes.

    .venv/bin/python Tests/ContractTests/mutants.py [number …]
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
SOURCES = ROOT / "Sources" / "Contracts" / "Vyper"
# Quickest to fail first.
FAST = [
    "test_hazards.py", "test_reentry.py", "test_deadlines.py", "test_item.py", "test_currencies.py",
    "test_terms.py",
    "test_payouts.py::test_an_exit_pays_at_every_corner_of_the_bounds",
    "test_payouts.py::test_the_token_goes_to_the_buyer_from_half_of_the_price_on",
    "test_moves.py",
]
# Where a change of a source is most likely noticed.
FIRST = {"Item.vy": "test_item.py", "law.vy": "test_terms.py", "market.vy": "test_currencies.py"}
# Of pytest's summary: the test that failed.
KILLER = re.compile(r"^(?:FAILED|ERROR) \S+?::(.+?)(?: - |$)", re.MULTILINE)
MUTANTS = [
    ("Escrow.vy", "@payable\ndef list(", "@payable\n@reentrant\ndef list(", "listing while a token moves"),
    ("Escrow.vy", "@external\ndef settle(", "@external\n@reentrant\ndef settle(",
     "settling while money is drawn"),
    ("Escrow.vy", 'assert self.sales[id].status == empty(law.Status)', "assert True",
     "a sale can be listed over another"),
    ("Escrow.vy", "assert promise != empty(bytes32)", "assert True", "a sale without promise"),
    ("Escrow.vy", "assert content_hash == own_hash", "assert True", "a resale of other content"),
    ("Escrow.vy", "transferFrom(msg.sender, self, token)", "transferFrom(self, self, token)",
     "a token held here is listed again"),
    ("Escrow.vy", "assert msg.sender != sale.seller,", "assert True,", "the seller buys"),
    ("Escrow.vy", "assert msg.sender != sale.terms.arbiter,", "assert True,", "the arbiter buys"),
    ("Escrow.vy", "assert block.timestamp < sale.terms.offer_until",
     "assert block.timestamp <= sale.terms.offer_until", "an offer a second too long"),
    ("Escrow.vy", "assert block.timestamp < sale.since + sale.terms.ship_window",
     "assert block.timestamp <= sale.since + sale.terms.ship_window", "shipping a second too late"),
    ("Escrow.vy", "assert block.timestamp >= sale.since + sale.terms.ship_window",
     "assert block.timestamp > sale.since + sale.terms.ship_window", "a refund a second too late"),
    ("Escrow.vy", "assert block.timestamp < sale.since + sale.terms.confirm_window",
     "assert block.timestamp <= sale.since + sale.terms.confirm_window", "a dispute too late"),
    ("Escrow.vy", "assert block.timestamp >= sale.since + sale.terms.confirm_window",
     "assert block.timestamp + 1 >= sale.since + sale.terms.confirm_window", "a claim too early"),
    ("Escrow.vy", "assert block.timestamp < sale.since + sale.terms.ruling_window",
     "assert block.timestamp < sale.since + sale.terms.confirm_window", "the wrong window"),
    ("Escrow.vy", "assert block.timestamp >= sale.since + sale.terms.ruling_window", "assert True",
     "a default at once"),
    ("Escrow.vy", "and msg.sender != empty(address), \"escrow: only the arbiter\"",
     ", \"escrow: only the arbiter\"", "nobody rules for nobody"),
    ("Escrow.vy", "        assert sale.status == law.Status.PAID, \"escrow: only the seller\"",
     "        assert True, \"escrow: only the seller\"", "a stranger refunds what was transferred"),
    ("Escrow.vy", "payout.buyer = sale.terms.buyer_deposit + sale.terms.price + sale.terms.late_penalty",
     "payout.buyer = sale.terms.buyer_deposit + sale.terms.price", "the penalty is lost"),
    ("Escrow.vy", "payout.seller -= penalty + sellers_fee", "payout.seller -= penalty",
     "the arbiter is paid from other sales"),
    ("Escrow.vy", "penalty - (sale.terms.arbiter_fee - sellers_fee)",
     "penalty - sale.terms.arbiter_fee", "the buyer pays the whole fee"),
    ("Escrow.vy", "payout.nobody = 2 * forfeit", "payout.nobody = forfeit", "a forfeit stays stuck"),
    ("Escrow.vy", "FORFEIT_BPS: constant(uint256) = 7_500", "FORFEIT_BPS: constant(uint256) = 7_400",
     "a smaller forfeit"),
    ("Escrow.vy", "offer.by not in [empty(address), msg.sender]", "offer.by != empty(address)",
     "one party agrees with itself"),
    ("Escrow.vy", "and offer.share == share", "", "agreement to another share"),
    ("Escrow.vy", "and offer.settle_by == settle_by", "", "agreement to another time"),
    ("Escrow.vy", "assert block.timestamp < settle_by", "assert True", "agreement too late"),
    ("Escrow.vy", "assert msg.sender == sale.seller or msg.sender == sale.buyer", "assert True",
     "a stranger proposes"),
    ("Escrow.vy", "    self.sales[id].proposal = empty(law.Proposal)\n", "",
     "a proposal outlives its status"),
    ("Escrow.vy", "    self.sales[id].since = block.timestamp\n", "", "windows run from the listing"),
    ("Escrow.vy", "if share >= BUYER_KEEPS_FROM", "if share > BUYER_KEEPS_FROM",
     "at half the token goes back"),
    ("Escrow.vy", "abi_encode(chain.id, self,", "abi_encode(self,", "the same id on another chain"),
    ("Escrow.vy", "token, content_hash, promise, terms))", "token, content_hash, terms))",
     "another promise under the same id"),
    ("Escrow.vy", "token, content_hash, promise, terms))", "token, promise, terms))",
     "another thing under the same id"),
    ("Escrow.vy", "sale.terms.arbiter, payout.arbiter", "sale.seller, payout.arbiter",
     "the fee goes to the seller"),
    ("law.vy", "PRICE_MAX: constant(uint256) = 2**128 - 1", "PRICE_MAX: constant(uint256) = 2**128",
     "a price too high"),
    ("law.vy", "terms.arbiter != empty(address) or terms.arbiter_fee == 0", "True",
     "a fee for no arbiter"),
    ("law.vy", "assert terms.arbiter != seller", "assert True", "the seller as arbiter"),
    ("law.vy", "terms.ruling_window >= 3 * DAY", "terms.ruling_window >= 2 * DAY", "too little time"),
    ("law.vy", "terms.offer_until > block.timestamp", "terms.offer_until >= block.timestamp",
     "an offer of no time"),
    ("market.vy", "self.credit[currency][msg.sender] = 0\n", "pass\n", "a credit is drawn twice"),
    ("market.vy", "    self.owed[currency] -= amount\n", "", "debts are never paid"),
    ("market.vy", "@nonreentrant\n", "", "calling back while money is drawn"),
    ("market.vy", "assert success, \"market: the receiver refused the money\"", "assert True",
     "a refused payment counts as paid"),
    ("market.vy", "assert after + amount >= before", "assert True", "a token takes from others"),
    ("market.vy", "assert msg.value == amount", "assert msg.value >= amount", "too much is kept"),
    ("market.vy", "assert msg.value == 0", "assert True", "value with a token sale is kept"),
    ("market.vy", "after - before == amount", "after - before <= amount", "a token's fee is owed"),
    ("market.vy", "part * MAKER_BPS // BPS)", "(part * MAKER_BPS + BPS - 1) // BPS)",
     "the royalty is rounded up"),
    ("market.vy", "and to != self", "", "money is sent to where it is"),
    ("Item.vy", "assert not self.is_sealed", "assert True", "sealed twice"),
    ("Item.vy", "    ownable._check_owner()\n", "", "anyone seals"),
    ("Item.vy", "    erc721.is_minter[msg.sender] = False\n", "", "the deployer mints"),
    ("Item.vy", "assert erc721.is_minter[msg.sender]", "assert True", "anyone mints"),
    ("Item.vy", "not erc721.is_minter[to] or msg.sender == to", "True", "tokens sent in are stranded"),
    ("Item.vy", "or msg.sender == to", "or erc721.is_minter[msg.sender]", "one sale contract fills another"),
    ("Item.vy", "assert erc721._is_approved_or_owner(msg.sender, token)", "assert True",
     "anyone moves any token"),
    ("Item.vy", "return success and answer == abi_encode(self)", "return success",
     "a sale contract of another item"),
    ("Item.vy", "    ownable._transfer_ownership(empty(address))\n", "", "an owner stays"),
    ("Item.vy", "self.maker[token] = maker", "self.maker[token] = msg.sender", "no maker is paid"),
    ("Escrow.vy", "    self.sales[id].buyer = msg.sender\n", "", "nobody bought"),
    ("Escrow.vy", '"escrow: sale is not listed"\n    assert msg.sender == sale.seller',
     '"escrow: sale is not listed"\n    assert True', "anyone aborts"),
    ("Escrow.vy", '"escrow: sale is not paid"\n    assert msg.sender == sale.seller',
     '"escrow: sale is not paid"\n    assert True', "anyone says it was handed over"),
    ("Escrow.vy", "self._check_open(sale)\n    assert msg.sender == sale.buyer",
     "self._check_open(sale)\n    assert True", "anyone confirms"),
    ("Escrow.vy", '"escrow: sale is not transferred"\n    assert msg.sender == sale.buyer',
     '"escrow: sale is not transferred"\n    assert True', "anyone disputes"),
    ("Escrow.vy",
     'assert sale.status == law.Status.TRANSFERRED, "escrow: sale is not transferred"\n    assert block.timestamp >=',
     'assert sale.status != law.Status.LISTED, "escrow: sale is not transferred"\n    assert block.timestamp >=',
     "a claim from any status"),
    ("Escrow.vy", 'assert share <= BPS, "escrow: share above 10,000"\n    assert block.timestamp < sale',
     'assert True, "escrow: share above 10,000"\n    assert block.timestamp < sale',
     "a ruling of more than all"),
    ("Escrow.vy", 'assert share <= BPS, "escrow: share above 10,000"\n    assert block.timestamp < settle',
     'assert True, "escrow: share above 10,000"\n    assert block.timestamp < settle',
     "a settlement for more than all"),
    ("Escrow.vy", "    payout.arbiter = sale.terms.arbiter_fee\n", "", "the arbiter's fee is lost"),
    ("Escrow.vy", "sale.terms.late_penalty * (BPS - share) // BPS", "sale.terms.late_penalty",
     "a penalty for what was delivered"),
    ("Escrow.vy", "DEFAULT_SHARE: constant(uint256) = 5_000", "DEFAULT_SHARE: constant(uint256) = 4_999",
     "a default that takes the token from the buyer"),
    ("law.vy", "terms.seller_deposit >= v and", "terms.seller_deposit >= v // 2 and", "half a deposit"),
    ("law.vy", "terms.buyer_deposit <= most,", "terms.buyer_deposit <= most + 1,", "too much locked"),
    ("law.vy", "market.is_currency[terms.currency],", "market.is_currency[terms.currency] or v > 0,",
     "any token is money"),
    ("law.vy", "terms.late_penalty <= v * LATE_PENALTY_BPS_MAX // BPS",
     "terms.late_penalty <= v * LATE_PENALTY_BPS_MAX // BPS + 1", "a penalty rounded up"),
    ("law.vy", "terms.arbiter_fee <= v * ARBITER_FEE_BPS_MAX // BPS",
     "terms.arbiter_fee <= v", "an arbiter who takes all"),
    ("law.vy", "assert terms.offer_until <= block.timestamp + OFFER_MAX", "assert True", "an offer for ever"),
    ("market.vy", "self.credit[currency][account] += amount", "self.credit[currency][account] = amount",
     "a credit takes the place of the last"),
    ("market.vy", "    self.owed[currency] += amount\n", "", "debts are not written down"),
    ("market.vy", "part * PLATFORM_BPS // BPS,", "part * PLATFORM_BPS // BPS + 1,", "a fee rounded up"),
    ("market.vy", "assert platform_bps <= PLATFORM_BPS_MAX", "assert True", "a fee of all"),
    ("market.vy", "assert not self.is_currency[token]", "assert True", "a currency named twice"),
    ("market.vy", "token.is_contract and token != item", "token.is_contract", "the tokens as money"),
    ("Item.vy", "assert content_hash != empty(bytes32)", "assert True", "a token for nothing"),
    ("Item.vy", "assert not erc721.is_minter[minter]", "assert True", "a sale contract named twice"),
    ("Item.vy", "assert len(minters) > 0", "assert True", "sealed without a sale contract"),
    ("Item.vy", "assert maker_bps <= MAKER_BPS_MAX", "assert True", "a royalty of all"),
    ("Item.vy", "sale_price // BPS * MAKER_BPS", "sale_price * MAKER_BPS // BPS", "large prices overflow"),
]


def outcome(index: int) -> str:
    """`killed by` a test, or why the mutant lives."""
    name, old, new, _ = MUTANTS[index]
    with tempfile.TemporaryDirectory() as folder:
        vyper, artifacts = Path(folder, "Contracts", "Vyper"), Path(folder, "Contracts", "Artifacts")
        shutil.copytree(SOURCES, vyper)
        text = (vyper / name).read_text()
        if text.count(old) != 1:
            return f"stale: its text is there {text.count(old)} times"
        (vyper / name).write_text(text.replace(old, new))
        changed = "Item.json" if name == "Item.vy" else "Escrow.json"
        for contract in vyper.glob("[A-Z]*.vy"):
            if contract.stem not in changed:
                contract.unlink()
        script = ROOT / "Scripts" / "contracts" / "artifacts.py"
        made = subprocess.run(
            [sys.executable, script, "--into", folder], capture_output=True, text=True
        )
        if made.returncode:
            return f"does not compile: {made.stderr[-300:]}"
        for path in (SOURCES.parent / "Artifacts").glob("*.json"):
            if path.name != changed:
                shutil.copy(path, artifacts)
        tests = fast_tests(artifacts, FIRST.get(name, FAST[0]))
        if tests.returncode == 1:
            return f"killed by {', '.join(re.findall(KILLER, tests.stdout)) or 'a fault'}"
        return "lives" if tests.returncode == 0 else tests.stdout[-500:]


def fast_tests(artifacts: Path, first: str = FAST[0]) -> subprocess.CompletedProcess:
    """Runs the fast tests on a folder of artifacts, beginning with `first`, until one fails."""
    tests = [first, *(test for test in FAST if test != first)]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-n", "0", *tests],
        cwd=HERE, env={**os.environ, "STOA_ARTIFACTS": str(artifacts)},
        capture_output=True, text=True,
    )


def main() -> None:
    sound = fast_tests(SOURCES.parent / "Artifacts")
    if sound.returncode:
        sys.exit(f"mutants: the tests fail without a mutant\n{sound.stdout[-2_000:]}")
    print("mutants: the fast tests pass without one", flush=True)
    chosen = [int(n) for n in sys.argv[1:]] or list(range(len(MUTANTS)))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for index, result in zip(chosen, pool.map(outcome, chosen)):
            failed += not result.startswith("killed")
            print(f"{index:3} {MUTANTS[index][0]}: {MUTANTS[index][3]}: {result}", flush=True)
    print(f"mutants: {len(chosen) - failed} of {len(chosen)} killed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
