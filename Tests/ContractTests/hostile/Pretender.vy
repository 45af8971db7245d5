# pragma version 0.4.3
# pragma evm-version london
"""
@notice A party that is a contract and answers `ITEM()` as a sale contract does, or in a worse way.
        It does what it is told, and accepts money and tokens in its mood only.
"""
item: address
mood: public(uint256)


@deploy
def __init__(item: address, mood: uint256):
    self.item = item
    self.mood = mood


@external
def set_mood(mood: uint256):
    self.mood = mood


@external
@payable
def execute(target: address, data: Bytes[1024], amount: uint256) -> Bytes[64]:
    return raw_call(target, data, max_outsize=64, value=amount)


@external
@view
@raw_return
def ITEM() -> Bytes[3_232]:
    """
    0 answers well, 1 refuses, 2 is a byte too short, 3 answers two words, 4 burns all gas,
    5 answers more than anyone wants to read, 6 names another item, 7 answers nothing.
    """
    assert self.mood != 1, "pretender: not telling"
    if self.mood == 2:
        return slice(abi_encode(self.item), 0, 31)
    if self.mood == 3:
        return abi_encode(self.item, self.item)
    if self.mood == 4:
        self._burn()
    if self.mood == 5:
        return abi_encode(self.item, empty(uint256[100]))
    if self.mood == 6:
        return abi_encode(self)
    if self.mood == 7:
        return b""
    return abi_encode(self.item)


@external
def onERC721Received(operator: address, owner: address, token: uint256, data: Bytes[1024]) -> bytes4:
    if self.mood == 4:
        self._burn()
    assert self.mood == 0, "pretender: no thanks"
    return method_id("onERC721Received(address,address,uint256,bytes)", output_type=bytes4)


@external
@payable
def __default__():
    if self.mood == 4:
        self._burn()
    assert self.mood == 0, "pretender: no thanks"


@internal
@view
def _burn():
    """
    The invalid instruction takes all gas that is left.
    """
    raise UNREACHABLE
