# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title escrow_guards
@custom:contract-name escrow_guards
@notice Who may make a move of an escrow sale, and when, as far as several moves share it.
@dev A module of Escrow.vy, not a contract of its own. Every refusal says what is wrong.
     Source: Docs/contracts.md, section 6.
"""
import escrow_state as state

uses: state


@internal
@view
def _open(id: bytes32) -> state.Stored:
    """
    @dev A sale that is bought and has not ended; refuses any other.
    @param id The sale.
    @return Stored The sale as stored.
    """
    sale: state.Stored = state._load(id)
    open: state.Status = state.Status.PAID | state.Status.TRANSFERRED | state.Status.DISPUTED
    assert sale.status in open, "escrow: sale is not open"
    return sale


@internal
@view
def _paid(id: bytes32, seller: address) -> state.Stored:
    """
    @dev A paid sale whose seller calls; refuses any other.
    @param id The sale.
    @param seller Its seller, as the offer says.
    @return Stored The sale as stored.
    """
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.PAID, "escrow: sale is not paid"
    assert msg.sender == seller, "escrow: only the seller"
    return sale


@internal
@view
def _paid_in_time(id: bytes32, seller: address) -> state.Stored:
    """
    @dev A paid sale whose seller calls before the ship window ends; refuses any other.
    @param id The sale.
    @param seller Its seller, as the offer says.
    @return Stored The sale as stored.
    """
    sale: state.Stored = self._paid(id, seller)
    assert block.timestamp < sale.deadline, "escrow: the ship window has ended"
    return sale


@internal
@view
def _disputed_in_time(id: bytes32, arbiter: address) -> state.Stored:
    """
    @dev A disputed sale whose arbiter calls before the ruling window ends; refuses any other.
    @param id The sale.
    @param arbiter Its arbiter, as the offer says.
    @return Stored The sale as stored.
    """
    sale: state.Stored = state._load(id)
    assert sale.status == state.Status.DISPUTED, "escrow: sale is not disputed"
    # The zero address stands for no arbiter; a simulated call may come from it.
    assert msg.sender == arbiter and msg.sender != empty(address), "escrow: only the arbiter"
    assert block.timestamp < sale.deadline, "escrow: the ruling window has ended"
    return sale


@internal
@view
def _is_seller(id: bytes32, seller: address) -> bool:
    """
    @dev Whether the caller is the seller; refuses everyone but the parties.
    @param id The sale.
    @param seller Its seller, as the offer says.
    @return bool True for the seller, false for the buyer.
    """
    assert msg.sender == seller or msg.sender == state.buyers[id], "escrow: only seller or buyer"
    return msg.sender == seller


@internal
@pure
def _fee(fee: uint256, taken: bool) -> uint256:
    """
    @dev What is due to the arbiter in an exit other than ruling and default.
    @param fee The arbiter's fee of the sale's terms.
    @param taken Whether he took the case.
    @return uint256 The arbiter's fee if he took the case, else 0.
    """
    return fee if taken else 0


@internal
@pure
def _fee_as_signed(fee: uint256, taken: bool, fee_due: uint256) -> uint256:
    """
    @dev The fee that is due, if it is the one that the caller counted with; refuses any other. So a
         `take` in front of a proposal or an agreement costs nobody a fee that they did not sign for.
    @param fee The arbiter's fee of the sale's terms.
    @param taken Whether he took the case.
    @param fee_due What the caller takes to be due.
    @return uint256 The same.
    """
    assert fee_due == self._fee(fee, taken), "escrow: another arbiter's fee is due"
    return fee_due
