# pragma version 0.4.3
# pragma evm-version london
"""
@notice An account that is a contract. It does what it is told, makes one armed call whenever it is
        called back, and has a mood: it refuses money and tokens, burns all gas, or says that it is a
        sale contract.
"""
OBEYS: constant(uint256) = 0
REFUSES: constant(uint256) = 1
BURNS: constant(uint256) = 2
PRETENDS: constant(uint256) = 3

mood: public(uint256)
item: address
target: address
data: Bytes[1024]
calls: public(uint256)
successes: public(uint256)
answer: public(Bytes[128])


@external
@payable
def execute(target: address, data: Bytes[1024], amount: uint256) -> Bytes[64]:
    return raw_call(target, data, max_outsize=64, value=amount)


@external
def become(mood: uint256, item: address):
    self.mood = mood
    self.item = item


@external
def arm(target: address, data: Bytes[1024]):
    self.target = target
    self.data = data
    self.calls = 0
    self.successes = 0


@external
@view
def ITEM() -> address:
    if self.mood == BURNS:
        raise UNREACHABLE
    assert self.mood == PRETENDS, "actor: not telling"
    return self.item


@external
def onERC721Received(operator: address, owner: address, token: uint256, data: Bytes[1024]) -> bytes4:
    self._react()
    return method_id("onERC721Received(address,address,uint256,bytes)", output_type=bytes4)


@external
@payable
def __default__():
    self._react()


@internal
def _react():
    if self.mood == BURNS:
        raise UNREACHABLE
    assert self.mood != REFUSES, "actor: no thanks"
    self.calls += 1
    if self.target != empty(address) and self.calls < 5:
        success: bool = False
        success, self.answer = raw_call(self.target, self.data, max_outsize=128, revert_on_failure=False)
        if success:
            self.successes += 1
