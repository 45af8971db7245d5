# pragma version 0.4.3
# pragma evm-version london
"""
@notice A token that transfers at most so much at a time; 0 is no limit.
"""
balanceOf: public(HashMap[address, uint256])
most: uint256


@external
def mint(to: address, amount: uint256):
    self.balanceOf[to] += amount


@external
def limit(most: uint256):
    self.most = most


@external
def transferFrom(owner: address, to: address, amount: uint256) -> bool:
    return self._move(owner, to, amount)


@external
def transfer(to: address, amount: uint256) -> bool:
    return self._move(msg.sender, to, amount)


@internal
def _move(owner: address, to: address, amount: uint256) -> bool:
    if self.most != 0 and amount > self.most:
        return False
    self.balanceOf[owner] -= amount
    self.balanceOf[to] += amount
    return True
