"""The factory, and how its addresses prove a market genuine: docs section 1."""

import pytest
from eth_utils import keccak, to_checksum_address
from machine import Contract, Refused, boa, creation_code
from market import ZERO, digest


def predicted(factory: Contract, salt: bytes, code: bytes) -> str:
    """The address that EIP-1014 gives, computed here."""
    preimage = b"\xff" + bytes.fromhex(factory.address[2:]) + salt + keccak(code)
    return to_checksum_address(keccak(preimage)[-20:])


def test_the_address_names_factory_salt_and_creation_code(market):
    code = creation_code("Escrow", *market.arguments())
    for salt in (digest("one"), digest("two")):
        address = market.factory.create(salt, code, sender=market.dan)
        assert to_checksum_address(address) == predicted(market.factory, salt, code)
        [log] = [log for log in market.factory.logs if log.name == "Created"]
        assert log.args == {"contract": to_checksum_address(address), "salt": salt}
        assert len(log.topics) == 2
    assert market.escrow.address == predicted(market.factory, ZERO, code)


def test_another_argument_is_another_address(market):
    codes = [
        creation_code("Escrow", *market.arguments(bps)) for bps in (200, 201)
    ] + [creation_code("Item", bps) for bps in (200, 201)]
    addresses = {market.factory.create(digest("s"), code, sender=market.dan) for code in codes}
    assert len(addresses) == 4


def test_a_salt_is_used_once_for_the_same_code(market):
    code = creation_code("Item", 7)
    market.factory.create(digest("s"), code, sender=market.dan)
    with pytest.raises(Refused):
        market.factory.create(digest("s"), code, sender=market.bo)


def test_a_contract_with_the_same_runtime_code_stands_elsewhere(market):
    """The attack it is for: creation code that writes storage and then returns a genuine runtime.

    The runtime code is a genuine Item's, byte for byte, and yet its tokens count from a million.
    """
    genuine = boa.env.get_code(market.item.address)
    # PUSH3 1,000,000, PUSH1 slot, SSTORE for the first slots; then CODECOPY and RETURN the runtime.
    write = b"".join(bytes.fromhex("620f4240") + bytes([0x60, slot, 0x55]) for slot in range(2))
    size = len(genuine).to_bytes(2, "big")
    start = len(write) + 15
    copy = b"\x61" + size + b"\x61" + start.to_bytes(2, "big") + bytes.fromhex("6000") + b"\x39"
    code = write + copy + b"\x61" + size + bytes.fromhex("6000") + b"\xf3" + genuine
    assert code[start:] == genuine
    forged = market.factory.create(ZERO, code, sender=market.dan)
    assert boa.env.get_code(forged) == genuine
    assert Contract.at("Item", forged).totalSupply() > 0
    wanted = predicted(market.factory, ZERO, creation_code("Item", 200))
    assert to_checksum_address(forged) != wanted == market.item.address


def test_a_creation_that_fails_is_refused_with_its_reason(market):
    with pytest.raises(Refused, match="item: royalty above 10 %"):
        market.factory.create(ZERO, creation_code("Item", 1_001), sender=market.dan)


@pytest.mark.parametrize("code", [b"", b"\x00", bytes.fromhex("60006000f3")])
def test_a_creation_that_leaves_no_code_is_refused(market, code):
    with pytest.raises(Refused, match="factory: no contract was made"):
        market.factory.create(ZERO, code, sender=market.dan)


def test_the_factory_has_no_owner_no_state_and_takes_no_money(market):
    functions = [e["name"] for e in market.factory.abi if e["type"] == "function"]
    assert functions == ["create"]
    with pytest.raises(Refused):
        market.factory.create(ZERO, creation_code("Item", 9), sender=market.dan, value=1)


def test_the_longest_creation_code_of_the_set_fits(market):
    codes = [creation_code(k, *market.arguments()) for k in ("Escrow", "Auction", "DirectSale")]
    assert max(map(len, codes)) <= 2 * 24_576
    with pytest.raises(Refused):
        market.factory.create(ZERO, bytes(2 * 24_576 + 1), sender=market.dan)


def test_creation_code_may_be_as_long_as_the_chain_allows(market):
    """Up to the 49,152 bytes of EIP-3860, and no byte more."""
    # PUSH1 1, PUSH1 0, RETURN: one zero as the runtime code.
    start = bytes.fromhex("60016000f3")
    address = market.factory.create(ZERO, start.ljust(49_152, b"\xff"), sender=market.dan)
    assert boa.env.get_code(address) == b"\x00"
    with pytest.raises(Refused):
        market.factory.create(ZERO, start.ljust(49_153, b"\xff"), sender=market.dan)
