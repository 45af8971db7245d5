# pragma version 0.4.3
# pragma evm-version london
"""
@notice Says it is a sale contract of an item, or answers too much, or refuses to say.
"""
item: address
mood: uint256


@deploy
def __init__(item: address, mood: uint256):
    self.item = item
    self.mood = mood


@external
@view
@raw_return
def ITEM() -> Bytes[96]:
    assert self.mood != 1, "pretender: not telling"
    if self.mood == 2:
        return slice(abi_encode(self.item), 0, 31)
    if self.mood == 3:
        return abi_encode(self.item, self.item)
    return abi_encode(self.item)
