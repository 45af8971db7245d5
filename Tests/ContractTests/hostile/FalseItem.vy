# pragma version 0.4.3
# pragma evm-version london
"""
@notice An item that is not genuine: its tokens have the numbers and its royalty the rate it likes.
"""
next: uint256
MAKER_BPS: public(uint256)


@deploy
def __init__(first: uint256):
    self.next = first


@external
def set_royalty(bps: uint256):
    self.MAKER_BPS = bps


@external
def mint(maker: address, content_hash: bytes32) -> uint256:
    token: uint256 = self.next
    self.next += 1
    return token
