# pragma version 0.4.3
# pragma evm-version london
"""
@notice A token that answers true to every transfer and keeps back as much of it as it likes.
"""
balanceOf: public(HashMap[address, uint256])
kept: uint256


@external
def mint(to: address, amount: uint256):
    self.balanceOf[to] += amount


@external
def keep(amount: uint256):
    self.kept = amount


@external
def transferFrom(owner: address, to: address, amount: uint256) -> bool:
    self._move(owner, to, amount)
    return True


@external
def transfer(to: address, amount: uint256) -> bool:
    self._move(msg.sender, to, amount)
    return True


@internal
def _move(owner: address, to: address, amount: uint256):
    moved: uint256 = amount - min(self.kept, amount)
    self.balanceOf[owner] -= moved
    self.balanceOf[to] += moved
