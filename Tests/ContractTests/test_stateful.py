"""Random lives of a market: contract and model stay one, and the money adds up after every step."""

import os
from random import Random

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test,
)
from machine import Refused, boa, now, travel_to
from market import Market
from model import DAY, DISPUTED, LISTED, NATIVE, NOBODY, PAID, TRANSFERRED

# What an honest party would do next, so that most random sales get far.
SENSIBLE = {
    LISTED: ["buy"] * 9 + ["abort"],
    PAID: ["transfer_item"] * 6 + ["decline", "relist", "relist", "refund", "confirm", "propose", "agree"],
    TRANSFERRED: ["dispute"] * 5 + ["confirm", "claim", "claim", "refund", "propose", "agree"],
    DISPUTED: ["take"] * 3 + ["rule"] * 3 + ["execute_default", "propose", "propose", "agree", "agree",
                                             "withdraw_proposal", "refund", "confirm"],
}
ALL = sorted({move for moves in SENSIBLE.values() for move in moves})
SHARES = [0, 1, 4_999, 5_000, 9_999, 10_000, 10_001]


class Life(RuleBasedStateMachine):
    """Four people, three currencies, many sales, and a clock that jumps."""

    @initialize()
    def begin(self):
        self.anchor = boa.env.anchor()
        self.anchor.__enter__()
        self.market = Market()
        self.steps = 0
        self.made = {c: self.total(c) for c in self.market.currencies}

    def teardown(self):
        if hasattr(self, "anchor"):
            self.anchor.__exit__(None, None, None)

    def total(self, currency):
        """All of a currency that people and contract have together."""
        m = self.market
        return sum(m.holds(currency, who) for who in [*m.people, m.platform, m.escrow.address])

    # Hypothesis prefers small and extreme choices; a seed it draws spreads them evenly.
    @rule(seed=st.integers(0, 2**64 - 1))
    def step(self, seed):
        self.steps += 1
        random = Random(f"{seed} {self.steps}")
        steps = [self.list, self.move, self.withdraw, self.travel, self.give, self.register, self.force]
        [chosen] = random.choices(steps, [20, 60, 8, 8, 3, 3, 1])
        try:
            chosen(random)
        except Refused:
            pass  # the model refused it with the same words, else it would have been an AssertionError

    def list(self, random):
        m = self.market
        v = random.choice([random.randrange(9_900, 10_300), random.randrange(1, 10**20)])
        seller = random.choice(m.people)
        owned = [t for t, owner in m.model.owners.items() if owner == seller]
        part = v * 5 // 100 + (random.random() < 0.03)
        arbiter = random.choice([NATIVE, *m.people, m.cleo, m.dan])
        terms = m.terms(
            v, currency=random.choice(m.currencies), arbiter=arbiter,
            seller_deposit=random.randint(-(-v // 3), 10 * v), buyer_deposit=random.randint(-(-v // 3), 10 * v),
            late_penalty=random.randint(min(part, v // 100), part),
            buyer=random.choice([*[NATIVE] * 12, *m.people]),
            arbiter_fee=0 if arbiter == NATIVE else random.randint(0, part),
            ship_window=random.randint(2 * DAY, 5 * DAY), offer_until=now() + random.randint(1, 9 * DAY),
        )
        token = random.choice([0, 0, 0, *owned * 3, *list(m.model.owners)[-1:]])
        m.list(terms, seller=seller, token=token)

    def move(self, random):
        m = self.market
        alive = [id for id, s in m.model.sales.items() if s.status in SENSIBLE]
        if not m.model.sales:
            return
        id = random.choice(alive[-4:] or list(m.model.sales))
        sale = m.model.sales[id]
        name, sender = random.choice(ALL), random.choice(m.people)
        if sale.status in SENSIBLE and random.random() < 0.9:
            name = random.choice(SENSIBLE[sale.status])
            sender = self.actor(random, name, sale, sender)
        if name in ("claim", "execute_default") and sale.status in SENSIBLE:
            travel_to(max(now(), sale.deadline + random.choice([-1, 0, 1])))
        if name == "buy":
            if random.random() < 0.9:
                sender = random.choice([p for p in m.people if p not in (sale.seller, sale.terms.arbiter)])
            m.buy(id, buyer=sender)
            return
        share = random.choice([*SHARES, random.randint(0, 10_000)])
        standing = [s for s, _ in sale.proposals.values()]
        args = {
            "rule": [share], "propose": [share, now() + random.choice([0, DAY, 60 * DAY, 61 * DAY])],
            "agree": [random.choice([*standing * 3, share])],
        }.get(name, [])
        if name in ("propose", "agree") and random.random() < 0.1:
            args = [*args, random.choice([0, sale.terms.arbiter_fee])]
        m.move(name, id, *args, sender=sender)

    def actor(self, random, name, sale, otherwise):
        """Who may make a move, mostly; before a sale is bought it has no buyer to choose."""
        if sale.buyer == NATIVE:
            return sale.seller if name == "abort" else otherwise
        arbiter = otherwise if sale.terms.arbiter == NATIVE else sale.terms.arbiter
        return {
            "abort": sale.seller, "transfer_item": sale.seller, "refund": sale.seller,
            "decline": sale.seller, "relist": sale.seller, "confirm": sale.buyer, "dispute": sale.buyer,
            "take": arbiter, "rule": arbiter,
        }.get(name, random.choice([sale.seller, sale.buyer]))

    def withdraw(self, random):
        m = self.market
        rich = [key for key, amount in m.model.credits.items() if amount and key[1] != NOBODY]
        anyone = (random.choice(m.currencies), random.choice(m.people))
        currency, who = random.choice(rich * 3 + [anyone])
        to = random.choice([who, who, who, m.ana, m.escrow.address])
        credit = m.model.credits.get((currency, who), 0)
        amount = random.choice([credit, credit, random.randint(0, credit), credit + 1])
        m.move("withdraw", currency, amount, to, sender=who)

    def travel(self, random):
        """A little, or to just before, at or after some deadline."""
        alive = [s for s in self.market.model.sales.values() if s.status in SENSIBLE]
        times = [now() + random.randint(1, DAY)]
        times += [s.deadline + random.choice([-1, 0, 1]) for s in alive]
        travel_to(max(now(), random.choice(times)))

    def register(self, random):
        """An arbiter changes what he accepts."""
        m = self.market
        until = random.choice([0, now() + 50 * DAY, 2**256 - 1])
        fee = random.choice([0, 1, 10**17])
        m.move("arbitrate", random.choice(m.currencies), fee, until, sender=random.choice(m.people))

    def give(self, random):
        """Owners give tokens away; into the escrow they cannot."""
        m = self.market
        free = [t for t, owner in m.model.owners.items() if owner in m.people]
        if not free:
            return
        token, to = random.choice(free), random.choice([*m.people, m.escrow.address])
        owner = m.model.owners[token]
        if to == m.escrow.address:
            with pytest.raises(Refused, match="a sale contract accepts no other token"):
                m.item.transferFrom(owner, to, token, sender=owner)
        else:
            m.item.transferFrom(owner, to, token, sender=owner)
            m.model.owners[token] = to

    def force(self, random):
        """Money nobody asked for: never part of what is owed."""
        m, amount = self.market, random.randint(1, 10**18)
        boa.env.set_balance(m.escrow.address, m.holds(NATIVE) + amount)
        self.made[NATIVE] += amount

    @invariant()
    def contract_and_rules_are_one(self):
        if not hasattr(self, "market"):
            return
        self.market.agree(arbiters=self.steps % 10 == 0)
        for currency in self.market.currencies:
            assert self.total(currency) == self.made[currency], "money appeared or vanished"


# The quick suite runs few; a long run asks for more.
EXAMPLES = int(os.environ.get("STOA_EXAMPLES", "6"))


@pytest.mark.parametrize("part", range(3))
def test_random_lives(part):
    run_state_machine_as_test(
        seed(part)(type("Life", (Life,), {})),
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=40,
            suppress_health_check=list(HealthCheck),
        ),
    )
