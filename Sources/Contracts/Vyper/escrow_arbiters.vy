# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title escrow_arbiters
@custom:contract-name escrow_arbiters
@notice Which accounts accept to be named as arbiters in new offers of an escrow.
@dev A module of Escrow.vy, not a contract of its own.
     Source: Docs/contracts.md, section 9.
"""
import escrow_terms
import money

uses: money


# From what fee and until when an arbiter accepts to be named in new offers.
struct ArbiterTerms:
    min_fee: uint256
    until: uint256


# An arbiter accepts to be named in new offers for at least `min_fee`, if no ruling in them can be due
# after `until`.
event ArbiterRegistered:
    arbiter: indexed(address)
    currency: indexed(address)
    min_fee: uint256
    until: uint256
    at: uint256


# Arbiter → currency → what offers he accepts.
arbiters: HashMap[address, HashMap[address, ArbiterTerms]]


@internal
def _register_arbiter(currency: address, min_fee: uint256, until: uint256):
    """
    @dev Stores from what fee and until when the caller accepts to be named in new offers.
    @param currency The currency of those offers.
    @param min_fee The lowest fee, in the smallest unit.
    @param until The latest time until which a ruling can be due; one that has passed ends the
           registration.
    """
    money._check_currency(currency)
    self.arbiters[msg.sender][currency] = ArbiterTerms(min_fee=min_fee, until=until)
    log ArbiterRegistered(
        arbiter=msg.sender, currency=currency, min_fee=min_fee, until=until, at=block.timestamp
    )


@internal
@view
def _check_arbiter(terms: escrow_terms.Terms):
    """
    @dev Refuses an arbiter who has not accepted to be named in such an offer.
    @param terms The terms of a new offer.
    """
    if terms.arbiter != empty(address):
        accepts: ArbiterTerms = self.arbiters[terms.arbiter][terms.currency]
        last: uint256 = terms.offer_until + terms.ship_window + terms.confirm_window + terms.ruling_window
        assert accepts.until >= last, "escrow: the arbiter is not registered for so long"
        assert accepts.min_fee <= terms.arbiter_fee, "escrow: the arbiter asks a higher fee"
