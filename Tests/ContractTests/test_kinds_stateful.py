"""Random lives of a market with every kind of sale: contracts and models stay one after every step.

Tokens are resold through escrow, auction and direct sale with their maker's royalty. Some sellers,
bidders, buyers and makers are contracts that refuse money, burn gas or pose as a sale contract, so is
the platform; one currency keeps fees, answers false, pays too much or calls back.
"""

import os
from random import Random

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from kinds import KindsMarket
from kinds_escrow import EscrowKind
from kinds_model import DAY, NATIVE
from machine import Contract, Refused, boa, now, travel_to
from model import DISPUTED, LISTED, NOBODY, PAID, TRANSFERRED

# What an honest party would do next in an escrow, so that most random sales get far.
SENSIBLE = {
    LISTED: ["buy"] * 6 + ["abort"],
    PAID: ["transfer_item"] * 5 + ["decline", "relist", "refund", "confirm"],
    TRANSFERRED: ["dispute", "dispute", "confirm", "confirm", "claim", "refund"],
    DISPUTED: ["take", "rule", "execute_default", "confirm", "refund"],
}
# How the bad currency behaves: its arguments, then why money cannot come in and why not go out.
FAULTS = [
    ((0, 0, 0, True), None, None), ((0, 0, 0, True), None, None), ((0, 1, 0, True), None, None),
    ((1, 0, 0, True), "money: token takes a fee", None),
    ((0, 0, 1, True), None, "money: token takes a fee"),
    ((0, 0, 0, False), "money: the token refused", "money: the token refused"),
]
EXITS = {LISTED: "abort", PAID: "refund", TRANSFERRED: "claim", DISPUTED: "execute_default"}


class Fold:
    """What the events of auctions and direct sales say, without a look at any state."""

    def __init__(self):
        self.sales: dict[tuple[str, bytes], dict] = {}
        self.credits: dict[tuple[str, str, str], int] = {}

    def apply(self, contract: Contract) -> None:
        """Takes in what a contract logged in its last move."""
        for log in contract.logs:
            if log.address == contract.address:
                getattr(self, log.name, self.ignore)(contract.address, **log.args)

    def ignore(self, address, **args) -> None:
        """An event of the escrow, or one that changes nothing."""

    def Listed(self, address, id, token, terms, ends=None, **args) -> None:
        shown = {"status": 1, "token": token}
        if ends:
            shown |= {"bidder": NATIVE, "highest": 0, "ends": ends, "last_end": ends + 30 * DAY}
        elif "seller_deposit" not in terms:
            shown |= {"buyer": NATIVE, "offer_until": terms["offer_until"]}
        else:
            return
        self.sales[address, id] = shown

    def BidPlaced(self, address, id, bidder, amount, ends, **args) -> None:
        self.sales[address, id] |= {"status": 2, "bidder": bidder, "highest": amount, "ends": ends}

    def Ended(self, address, id, status, buyer, **args) -> None:
        sale = self.sales.get((address, id))
        if sale:
            sale["status"] = status
            if "buyer" in sale:
                sale["buyer"] = buyer

    def Credited(self, address, currency, account, amount, **args) -> None:
        key = address, currency, account
        self.credits[key] = self.credits.get(key, 0) + amount

    def CreditUsed(self, address, currency, account, amount, **args) -> None:
        self.credits[address, currency, account] -= amount

    def Withdrawn(self, address, currency, account, amount, **args) -> None:
        self.credits[address, currency, account] -= amount


class Life(RuleBasedStateMachine):
    """Seven parties, four currencies, three contracts, and a clock that jumps."""

    @initialize()
    def begin(self):
        self.anchor = boa.env.anchor()
        self.anchor.__enter__()
        m = self.market = KindsMarket()
        m.platform = Contract("Actor").address
        self.bad = Contract("FeeToken")
        m.tokens.append(self.bad)
        m.currencies.append(self.bad.address)
        self.actors = [Contract("Actor") for _ in range(3)]
        m.people += [actor.address for actor in self.actors]
        m.auction, m.direct = type(m.auction)(m, "Auction"), type(m.direct)(m, "DirectSale")
        m.kinds = []
        for contract in self.actors:
            boa.env.set_balance(contract.address, 10**45)
        for kind in (m.auction, m.direct, EscrowKind(m)):
            m.add(kind)
        m.kinds[2].arbitrate(m.cleo)
        for number, contract in enumerate(self.actors):
            contract.become(number + 1, m.item.address)
        self.fold, self.steps, self.sound, self.touched = Fold(), 0, True, m.auction
        self.surplus = {(k.address, c): 0 for k in m.kinds for c in m.currencies}
        self.made = {c: self.total(c) for c in m.currencies[:3]}

    def teardown(self):
        """Every life ends by strangers' moves, time and withdrawals alone: no state is without an exit."""
        if not hasattr(self, "anchor"):
            return
        try:
            if self.sound:
                self.end_everything()
                self.withdraw_everything()
        finally:
            self.anchor.__exit__(None, None, None)

    def total(self, currency) -> int:
        """All of a currency that parties and contracts have together."""
        m = self.market
        accounts = [*m.people, m.platform, *(kind.address for kind in m.kinds)]
        return sum(m.holds(currency, account) for account in accounts)

    # Hypothesis prefers small and extreme choices; a seed it draws spreads them evenly.
    @rule(seed=st.integers(0, 2**64 - 1))
    def step(self, seed):
        self.steps, self.sound = self.steps + 1, False
        random = Random(f"{seed} {self.steps}")
        steps = [self.list, self.move, self.withdraw, self.travel, self.give, self.force, self.spoil]
        [chosen] = random.choices(steps, [24, 54, 8, 6, 3, 2, 3])
        try:
            chosen(random)
        except Refused:
            pass  # the model refused it with the same words, else it would have been an AssertionError
        self.check()
        self.sound = True

    def did(self, kind, act) -> None:
        """Makes a move and takes in its events; a refused one has none. Whoever is called during the
        move calls back into the contract that is at work, which holds its lock."""
        self.touched = kind
        some = next(iter(kind.model.sales.values()), None)
        call = ("withdraw", self.bad.address, 1, self.bad.address)
        if some and self.steps % 2:
            call = ("abort", some.offer.abi())
        data = kind.contract.calldata(*call)
        self.bad.set_hook(kind.address, data)
        for actor in self.actors:
            actor.arm(kind.address, data)
        act()
        self.fold.apply(kind.contract)

    def list(self, random):
        m, kind = self.market, random.choice(self.market.kinds)
        price = random.choice([10_000, random.randrange(9_900, 10_300), random.randrange(1, 10**20)])
        seller, currency = random.choice(m.people), random.choice(m.currencies)
        owned = [t for t, owner in m.items.owners.items() if owner in m.people]
        token = random.choice([0, 0, *owned * 3, *list(m.items.owners)[-1:]])
        if token in owned and random.random() < 0.9:
            seller = m.items.owners[token]
        terms = {
            "Auction": lambda: kind.terms(
                price, currency=currency, duration=random.randint(DAY, 30 * DAY),
                min_increment_bps=random.randint(100, 5_000), extension=random.choice([60, 600, 1_000]),
            ),
            "DirectSale": lambda: kind.terms(price, currency=currency, offer_until=now() + random.randint(1, 9 * DAY)),
            "Escrow": lambda: kind.terms(
                price, currency=currency, arbiter=random.choice([NATIVE, m.cleo, m.cleo]),
                ship_window=random.randint(2 * DAY, 5 * DAY),
            ),
        }[kind.name]()
        offer = kind.offer(terms, seller=seller, token=token)
        self.did(kind, lambda: kind.move("list", offer, sender=seller))

    def move(self, random):
        m = self.market
        sales = [(kind, id, s) for kind in m.kinds for id, s in kind.model.sales.items()]
        open = [(kind, id, s) for kind, id, s in sales if s.status in kind.model.OPEN]
        if not sales:
            return
        kind, id, sale = random.choice(open if open and random.random() < 0.95 else sales)
        draw = {"Auction": self.draw_auction, "DirectSale": self.draw_direct, "Escrow": self.draw_escrow}
        name, args, sender = draw[kind.name](random, sale)
        self.did(kind, lambda: kind.move(name, sale.offer, *args, sender=sender))

    def draw_auction(self, random, sale):
        people = self.market.people
        name = random.choice(["bid"] * 8 + ["end", "abort"])
        if now() >= sale.ends:
            name = random.choice(["end", "end", "bid"])
        others = [who for who in people if who != sale.offer.seller]
        sender = random.choice(others if name == "bid" and random.random() < 0.95 else people)
        if name == "abort" and random.random() < 0.7:
            sender = sale.offer.seller
        if name == "end":
            travel_to(max(now(), sale.ends + random.choice([-1, 0, 0, 1])))
        if name == "bid" and random.random() < 0.3 and now() < sale.ends:
            travel_to(max(now(), sale.ends - random.choice([1, 60, sale.offer.terms.extension])))
        least = sale.minimum()
        amount = random.choice([least, least, least + random.randrange(least + 1), least - 1])
        credit = self.market.auction.model.credits.get((sale.offer.terms.currency, sender), 0)
        own = credit + (sale.highest if sale.bidder == sender else 0)
        part = random.choice([0, 0, 0, min(own, amount), random.randint(0, min(own, amount)), own + 1])
        return name, (amount, part) if name == "bid" else (), sender

    def draw_direct(self, random, sale):
        name = random.choice(["pay", "pay", "pay", "abort"])
        if now() >= sale.deadline():
            name = random.choice(["abort", "abort", "pay"])
        return name, (), random.choice(self.market.people)

    def draw_escrow(self, random, sale):
        people, t = self.market.people, sale.terms
        name = random.choice(SENSIBLE.get(sale.status, ["confirm", "refund"]))
        sender = random.choice(people)
        if random.random() < 0.9:
            sender = {
                "transfer_item": sale.seller, "decline": sale.seller, "relist": sale.seller, "dispute": sale.buyer,
                "confirm": sale.buyer, "take": t.arbiter if t.arbiter != NATIVE else sender,
                "rule": t.arbiter if t.arbiter != NATIVE else sender,
                "refund": sale.seller, "abort": sale.seller,
            }.get(name, sender)
        if name in ("claim", "execute_default") or (name == "refund" and sale.status == PAID):
            travel_to(max(now(), sale.deadline + random.choice([-1, 0, 1])))
        return name, (random.choice([0, 4_999, 5_000, 10_000]),) if name == "rule" else (), sender

    def withdraw(self, random):
        m = self.market
        rich = [
            (kind, currency, who, amount) for kind in m.kinds
            for (currency, who), amount in kind.model.credits.items() if amount and who != NOBODY
        ]
        anyone = random.choice(m.kinds), random.choice(m.currencies), random.choice(m.people), 1
        kind, currency, who, credit = random.choice(rich * 3 + [anyone])
        amount = random.choice([credit, credit, random.randint(0, credit), credit + 1])
        to = random.choice([m.ana, m.bo, m.ana, m.bo, m.people[-1], kind.address, NATIVE])
        self.did(kind, lambda: kind.withdraw(who, currency, amount, to))

    def travel(self, random):
        """A little, or to just before, at or after one of the next two deadlines."""
        ends = [
            sale.deadline if kind.name == "Escrow" else sale.deadline()
            for kind in self.market.kinds for sale in kind.model.sales.values()
            if sale.status in kind.model.OPEN
        ]
        near = sorted(end for end in ends if end >= now())[:2]
        times = [now() + random.randint(1, 3_600), *(end + random.choice([-1, 0, 1]) for end in near)]
        travel_to(max(now(), random.choice(times)))

    def give(self, random):
        """Owners give tokens away; into a sale contract, or one that poses as one, a person cannot."""
        m = self.market
        free = [t for t, owner in m.items.owners.items() if owner in m.people[:4]]
        if not free:
            return
        token, to = random.choice(free), random.choice([*m.people, m.auction.address, m.direct.address])
        if to in m.people[:6]:
            m.give(token, to)
        else:
            with pytest.raises(Refused, match="a sale contract accepts no other token"):
                m.item.transferFrom(m.items.owners[token], to, token, sender=m.items.owners[token])

    def force(self, random):
        """Money nobody asked for: never part of what is owed."""
        kind, amount = random.choice(self.market.kinds), random.randint(1, 10**18)
        boa.env.set_balance(kind.address, self.market.holds(NATIVE, kind.address) + amount)
        self.surplus[kind.address, NATIVE] += amount
        self.made[NATIVE] += amount

    def spoil(self, random):
        """The bad currency changes its ways."""
        arguments, fault_in, fault_out = random.choice(FAULTS)
        self.bad.misbehave(*arguments)
        for kind in self.market.kinds:
            kind.model.faults_in = {self.bad.address: fault_in} if fault_in else {}
            kind.model.faults_out = {self.bad.address: fault_out} if fault_out else {}

    def check(self):
        """Money to the unit and custody where a move was made; everything after every eighth step."""
        self.check_money_and_custody(self.touched)
        assert not self.bad.hook_success() and not any(actor.successes() for actor in self.actors)
        if self.steps % 8 == 0:
            self.check_everything()

    def check_money_and_custody(self, kind):
        """A contract has what it owes and what was forced on it, and the token of every open sale."""
        m = self.market
        for currency in m.currencies:
            owed = kind.contract.owed(currency)
            assert owed == kind.model.owed(currency)
            surplus = self.surplus[kind.address, currency]
            assert m.holds(currency, kind.address) == owed + surplus, "money appeared or vanished"
        for sale in kind.model.sales.values():
            if sale.status in kind.model.OPEN:
                assert m.item.ownerOf(sale.token) == kind.address

    def check_everything(self):
        """Contracts, models and events say the same."""
        m = self.market
        for kind in m.kinds:
            self.check_money_and_custody(kind)
        for currency, made in self.made.items():
            assert self.total(currency) == made, "money appeared or vanished"
        m.agree()
        for kind in m.kinds:
            for id in kind.model.sales if kind.name != "Escrow" else ():
                assert kind.contract.sale(id) == self.fold.sales[kind.address, id]
            for (currency, who), amount in kind.model.credits.items():
                assert self.fold.credits.get((kind.address, currency, who), 0) == amount

    def end_everything(self):
        """The platform, which has no part in any sale and refuses money, ends what is open."""
        m = self.market
        for kind in m.kinds:
            for sale in list(kind.model.sales.values()):
                while sale.status in kind.model.OPEN:
                    end = sale.deadline if kind.name == "Escrow" else sale.deadline()
                    travel_to(max(now(), end))
                    name = {"Auction": "end", "DirectSale": "abort"}.get(kind.name) or EXITS[sale.status]
                    self.did(kind, lambda: kind.move(name, sale.offer, sender=m.platform))
        self.check_everything()

    def withdraw_everything(self):
        """Everyone, hostile or not, gets what he is owed; then nothing is owed."""
        m = self.market
        self.bad.misbehave(0, 0, 0, True)
        for kind in m.kinds:
            kind.model.faults_out = {}
            for (currency, who), amount in list(kind.model.credits.items()):
                if amount and who != NOBODY:
                    self.did(kind, lambda: kind.withdraw(who, currency, amount, m.dan))
        self.check_everything()
        for kind in m.kinds:
            for currency in m.currencies:
                forfeited = kind.model.credits.get((currency, NOBODY), 0)
                assert kind.contract.owed(currency) == forfeited


# A cap for a debugging session; the suite runs the default.
EXAMPLES = int(os.environ.get("STOA_EXAMPLES", "8"))


@pytest.mark.parametrize("part", range(2))
def test_random_lives(part):
    run_state_machine_as_test(
        seed(part)(type("Life", (Life,), {})),
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=60, suppress_health_check=list(HealthCheck),
        ),
    )
