# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title TestToken
@custom:contract-name TestToken
@notice An ERC-20 token for development chains: anyone may mint any amount, so it is worth nothing.
@dev Source: EIP-20.
"""


# Tokens changed their owner; `sender` is the zero address when they were minted.
event Transfer:
    sender: indexed(address)
    receiver: indexed(address)
    value: uint256


# `spender` may transfer up to `value` tokens of `owner`.
event Approval:
    owner: indexed(address)
    spender: indexed(address)
    value: uint256


# What a client shows as the token's name.
name: public(String[25])
# What a client shows after an amount.
symbol: public(String[5])
# How many decimals a client shows.
decimals: public(uint8)
# How many units there are.
totalSupply: public(uint256)
# Account → its units.
balanceOf: public(HashMap[address, uint256])
# Owner → spender → how many units the spender may still transfer.
allowance: public(HashMap[address, HashMap[address, uint256]])


@deploy
def __init__(name: String[25], symbol: String[5], decimals: uint8):
    """
    @notice Makes a token that nobody holds yet.
    @param name Its name.
    @param symbol Its symbol.
    @param decimals How many decimals a client shows.
    """
    self.name = name
    self.symbol = symbol
    self.decimals = decimals


@external
def mint(to: address, amount: uint256):
    """
    @notice Makes new units.
    @param to Who receives them; not the zero address.
    @param amount How many, in the smallest unit.
    """
    assert to != empty(address), "token: the receiver is the zero address"
    self.totalSupply += amount
    self.balanceOf[to] += amount
    log Transfer(sender=empty(address), receiver=to, value=amount)


@external
def approve(spender: address, amount: uint256) -> bool:
    """
    @notice Lets an account transfer units of the caller; replaces what it might before.
    @param spender The account.
    @param amount How many units.
    @return bool Always true.
    """
    self.allowance[msg.sender][spender] = amount
    log Approval(owner=msg.sender, spender=spender, value=amount)
    return True


@external
def transfer(to: address, amount: uint256) -> bool:
    """
    @notice Transfers units of the caller.
    @param to Who receives them; not the zero address.
    @param amount How many.
    @return bool Always true; the call reverts if it cannot transfer.
    """
    self._transfer(msg.sender, to, amount)
    return True


@external
def transferFrom(owner: address, to: address, amount: uint256) -> bool:
    """
    @notice Transfers units of an owner who approved the caller.
    @param owner Who has them.
    @param to Who receives them; not the zero address.
    @param amount How many; the allowance falls by as many.
    @return bool Always true; the call reverts if it cannot transfer.
    """
    allowance: uint256 = self.allowance[owner][msg.sender]
    assert amount <= allowance, "token: more than the allowance"
    self.allowance[owner][msg.sender] = allowance - amount
    self._transfer(owner, to, amount)
    return True


@internal
def _transfer(sender: address, to: address, amount: uint256):
    """
    @dev Moves units between two accounts.
    @param sender Who has them.
    @param to Who receives them.
    @param amount How many.
    """
    balance: uint256 = self.balanceOf[sender]
    assert to != empty(address), "token: the receiver is the zero address"
    assert amount <= balance, "token: more than the balance"
    self.balanceOf[sender] = balance - amount
    self.balanceOf[to] += amount
    log Transfer(sender=sender, receiver=to, value=amount)
