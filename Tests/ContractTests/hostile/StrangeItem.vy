# pragma version 0.4.3
# pragma evm-version london
"""
@notice An item that mints any number it likes, and moves every token.
"""
token: uint256


@deploy
def __init__(token: uint256):
    self.token = token


@external
@view
def MAKER_BPS() -> uint256:
    return 0


@external
@view
def maker(token: uint256) -> address:
    return self


@external
def mint(maker: address, content_hash: bytes32) -> uint256:
    return self.token


@external
def transferFrom(owner: address, to: address, token_id: uint256):
    assert token_id == self.token, "strange item: not my token"
