# pragma version 0.4.3
# pragma evm-version london
"""
@notice A receiver of tokens that remembers what it was told and answers what it was told to answer.
"""
answer: bytes4
refuses: bool
calls: public(uint256)
caller: public(address)
operator: public(address)
owner: public(address)
token: public(uint256)
data: public(Bytes[1024])


@deploy
def __init__(answer: bytes4, refuses: bool):
    self.answer = answer
    self.refuses = refuses


@external
def onERC721Received(operator: address, owner: address, token: uint256, data: Bytes[1024]) -> bytes4:
    assert not self.refuses, "receiver: no thanks"
    self.calls += 1
    self.caller = msg.sender
    self.operator = operator
    self.owner = owner
    self.token = token
    self.data = data
    return self.answer
