# pragma version 0.4.3
# pragma evm-version london
"""
@notice An account that is a contract: it does what it is told, and when it receives money or a
        token it makes the call it was armed with, or refuses.
"""
target: address
data: Bytes[1024]
refuses: public(bool)
calls: public(uint256)
success: public(bool)
answer: public(Bytes[128])


@external
@payable
def execute(target: address, data: Bytes[1024], amount: uint256) -> Bytes[64]:
    return raw_call(target, data, max_outsize=64, value=amount)


@external
def arm(target: address, data: Bytes[1024], refuses: bool):
    self.target = target
    self.data = data
    self.refuses = refuses


@external
def fire():
    self._react()


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
    assert not self.refuses, "attacker: no thanks"
    self.calls += 1
    if self.target != empty(address) and self.calls < 5:
        self.success, self.answer = raw_call(self.target, self.data, max_outsize=128, revert_on_failure=False)
