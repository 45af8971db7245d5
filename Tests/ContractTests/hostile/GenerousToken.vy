# pragma version 0.4.3
# pragma evm-version london
"""
@notice A token that gives a unit more than it was asked to.
"""
balanceOf: public(HashMap[address, uint256])


@external
def mint(to: address, amount: uint256):
    self.balanceOf[to] += amount


@external
def transferFrom(owner: address, to: address, amount: uint256) -> bool:
    self.balanceOf[owner] -= amount
    self.balanceOf[to] += amount + 1
    return True
