# pragma version 0.4.3
# pragma evm-version london
"""
@notice A token of many faults, one at a time: it keeps a fee, answers false, or calls someone.
"""
balanceOf: public(HashMap[address, uint256])
fee_in: public(uint256)
fee_out: public(uint256)
extra_out: public(uint256)
answer: public(bool)
hook: address
hook_data: Bytes[1024]
hook_success: public(bool)


@deploy
def __init__():
    self.answer = True


@external
def mint(to: address, amount: uint256):
    self.balanceOf[to] += amount


@external
def misbehave(fee_in: uint256, fee_out: uint256, extra_out: uint256, answer: bool):
    self.fee_in = fee_in
    self.fee_out = fee_out
    self.extra_out = extra_out
    self.answer = answer


@external
def set_hook(hook: address, data: Bytes[1024]):
    self.hook = hook
    self.hook_data = data


@external
def transferFrom(owner: address, to: address, amount: uint256) -> bool:
    self.balanceOf[owner] -= amount
    self.balanceOf[to] += amount - self.fee_in
    if self.hook != empty(address):
        self.hook_success = raw_call(self.hook, self.hook_data, revert_on_failure=False)
    return self.answer


@external
def transfer(to: address, amount: uint256) -> bool:
    self.balanceOf[msg.sender] -= amount + self.extra_out
    self.balanceOf[to] += amount - self.fee_out
    if self.hook != empty(address):
        self.hook_success = raw_call(self.hook, self.hook_data, revert_on_failure=False)
    return self.answer
