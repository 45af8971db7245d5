"""Measures every move of auctions and direct sales, in both currencies, as a Markdown table.

    .venv/bin/python Tests/ContractTests/gas_kinds.py

Made like the tables of gas.py, and with its machine: full transactions on a London EVM. Exits with an
error if a move costs more than its limit.
"""

import sys

from auction_model import Terms as AuctionTerms
from direct_model import Terms as DirectTerms
from gas import WHO, Measured, Round
from model import DAY

V = 10**18
# Gas that a change may not exceed, in native money.
LIMITS = {
    "Auction: list, minting": 225_000, "Auction: first bid": 66_000, "Auction: outbid": 76_000,
    "Auction: end, sold": 135_000, "DirectSale: list, minting": 184_000, "DirectSale: pay": 138_000,
}


def auction_terms(round: Round) -> AuctionTerms:
    """The client's defaults, from one unit of money on."""
    return AuctionTerms.usual(V, currency=round.currency)


def direct_terms(round: Round) -> DirectTerms:
    """The client's defaults for one unit of money."""
    return DirectTerms.usual(round.london.time, V, currency=round.currency)


def auctions(round: Round) -> dict[str, int]:
    """Gas of every move of an auction by Ana; Bo wins the first and sells it again."""
    act = lambda label, who, name, *args, pays=0: round.act(  # noqa: E731
        label and f"Auction: {label}", "Auction", who, name, *args, pays=pays
    )
    first = round.offer(auction_terms(round))
    act("list, minting", "ana", "list", first)
    act("first bid", "bo", "bid", first, V, 0, pays=V)
    act("outbid", "dan", "bid", first, 2 * V, 0, pays=2 * V)
    round.london.travel(7 * DAY - 60)
    act("outbid and extended", "bo", "bid", first, 3 * V, 0, pays=3 * V)
    round.london.travel(DAY)
    act("end, sold", "cleo", "end", first)
    act("withdraw what was outbid", "dan", "withdraw", round.currency, 2 * V, WHO["dan"])
    token = minted(round)
    round.item.call("bo", "approve", round.kinds["Auction"].address, token)
    resale = round.offer(auction_terms(round), token, "bo")
    act("list, own token", "bo", "list", resale)
    round.london.travel(8 * DAY)
    act("end, unsold", "cleo", "end", resale)
    aborted = round.offer(auction_terms(round))
    act(None, "ana", "list", aborted)
    act("abort", "ana", "abort", aborted)
    raised = round.offer(auction_terms(round))
    act(None, "ana", "list", raised)
    act(None, "bo", "bid", raised, V, 0, pays=V)
    act("own bid raised from the credit", "bo", "bid", raised, 2 * V, V, pays=V)
    return kept(round, "Auction")


def direct_sales(round: Round) -> dict[str, int]:
    """Gas of every move of a direct sale by Ana; Bo sells again what he bought."""
    act = lambda label, who, name, *args, pays=0: round.act(  # noqa: E731
        label and f"DirectSale: {label}", "DirectSale", who, name, *args, pays=pays
    )
    first = round.offer(direct_terms(round))
    act("list, minting", "ana", "list", first)
    act("pay", "bo", "pay", first, pays=V)
    token = minted(round)
    round.item.call("bo", "approve", round.kinds["DirectSale"].address, token)
    resale = round.offer(direct_terms(round), token, "bo")
    act("list, own token", "bo", "list", resale)
    act("pay, resale", "dan", "pay", resale, pays=V)
    aborted = round.offer(direct_terms(round))
    act(None, "ana", "list", aborted)
    act("abort", "ana", "abort", aborted)
    act("withdraw", "ana", "withdraw", round.currency, V // 2, WHO["ana"])
    return kept(round, "DirectSale")


def minted(round: Round) -> int:
    """The newest token."""
    _, output = round.item.call("cleo", "totalSupply")
    return int.from_bytes(output, "big")


def kept(round: Round, kind: str) -> dict[str, int]:
    """What was measured of a kind."""
    return {label: gas for label, gas in round.gas.items() if label.startswith(f"{kind}: ")}


def measure(in_token: bool) -> tuple[dict[str, int], dict[str, Measured]]:
    """Gas of every move of both kinds in one currency, and the deployed contracts."""
    round = Round(in_token)
    return auctions(round) | direct_sales(round), round.kinds


def table(native: dict[str, int], token: dict[str, int]) -> str:
    """The table of the moves."""
    lines = ["| move | native | token |", "|---|---|---|"]
    return "\n".join(lines + [f"| {move} | {gas:,} | {token[move]:,} |" for move, gas in native.items()])


def beyond(native: dict[str, int]) -> list[str]:
    """Which limits are not kept."""
    return [f"{move}: {native[move]:,} gas of {most:,}" for move, most in LIMITS.items() if native[move] > most]


def main() -> None:
    (native, contracts), (token, _) = measure(False), measure(True)
    print(table(native, token))
    for kind in ("Auction", "DirectSale"):
        print(f"{kind}: {contracts[kind].size:,} bytes of code, {contracts[kind].gas:,} gas to deploy")
    if over := beyond(native):
        sys.exit("gas_kinds: beyond the limits: " + "; ".join(over))


if __name__ == "__main__":
    main()
