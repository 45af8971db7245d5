# pragma version 0.4.3
# pragma evm-version london
"""
@notice A token that answers nothing, as some old ones do.
"""
balanceOf: public(HashMap[address, uint256])


@external
def mint(to: address, amount: uint256):
    self.balanceOf[to] += amount


@external
def transferFrom(owner: address, to: address, amount: uint256):
    self.balanceOf[owner] -= amount
    self.balanceOf[to] += amount


@external
def transfer(to: address, amount: uint256):
    self.balanceOf[msg.sender] -= amount
    self.balanceOf[to] += amount
