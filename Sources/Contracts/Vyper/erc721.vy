# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title erc721
@custom:contract-name erc721
@notice Owners and approvals of non-fungible tokens, as EIP-721 says.
@dev A module, not a contract of its own. The contract that uses it offers the transfers, because it
     decides which are allowed, and calls `_transfer` and `_notify`. There is no burning and no list
     of an owner's tokens. Tokens are counted from 1.
     Source: EIP-721, "Specification".
"""


# What a contract answers that accepts tokens by `safeTransferFrom`.
interface IReceiver:
    def onERC721Received(
        operator: address, owner: address, token_id: uint256, data: Bytes[DATA_MAX]
    ) -> bytes4: nonpayable


# A token changed its owner; `sender` is the zero address when it was minted.
event Transfer:
    sender: indexed(address)
    receiver: indexed(address)
    token_id: indexed(uint256)


# One account may transfer a token until it is transferred; the zero address is none.
event Approval:
    owner: indexed(address)
    approved: indexed(address)
    token_id: indexed(uint256)


# An operator may transfer all tokens of an owner, or no longer.
event ApprovalForAll:
    owner: indexed(address)
    operator: indexed(address)
    approved: bool


# The longest data that `safeTransferFrom` hands to a receiver, in bytes.
DATA_MAX: constant(uint256) = 1_024

# How many tokens there are; the newest token has this number.
totalSupply: public(uint256)
# Owner → operator → whether the operator may transfer all of the owner's tokens.
isApprovedForAll: public(HashMap[address, HashMap[address, bool]])
owners: HashMap[uint256, address]
balances: HashMap[address, uint256]
approvals: HashMap[uint256, address]


@external
@view
def balanceOf(owner: address) -> uint256:
    """
    @notice How many tokens an account has.
    @param owner The account; not the zero address.
    @return uint256 The number of its tokens.
    """
    assert owner != empty(address), "erc721: the zero address owns nothing"
    return self.balances[owner]


@external
@view
def ownerOf(token_id: uint256) -> address:
    """
    @notice The account that has a token.
    @param token_id The token.
    @return address Its owner.
    """
    return self._owner_of(token_id)


@external
@view
def getApproved(token_id: uint256) -> address:
    """
    @notice The one account beside owner and operators that may transfer a token.
    @param token_id The token.
    @return address The approved account; the zero address if there is none.
    """
    self._owner_of(token_id)
    return self.approvals[token_id]


@external
def approve(approved: address, token_id: uint256):
    """
    @notice Lets an account transfer a token until it is transferred.
    @dev Takes no value, which EIP-721 allows, so that none can be lost here.
    @param approved The account; the zero address revokes the approval.
    @param token_id A token of the caller, or of an owner whose operator the caller is.
    """
    owner: address = self._owner_of(token_id)
    assert self._is_owner_or_operator(msg.sender, owner), "erc721: only the owner or an operator"
    self.approvals[token_id] = approved
    log Approval(owner=owner, approved=approved, token_id=token_id)


@external
def setApprovalForAll(operator: address, approved: bool):
    """
    @notice Lets an operator transfer all of the caller's tokens, present and future, or no longer.
    @param operator The account.
    @param approved Whether it may.
    """
    self.isApprovedForAll[msg.sender][operator] = approved
    log ApprovalForAll(owner=msg.sender, operator=operator, approved=approved)


@internal
@view
def _owner_of(token_id: uint256) -> address:
    """
    @dev The owner of a token; refuses a token that does not exist.
    @param token_id The token.
    @return address Its owner.
    """
    owner: address = self.owners[token_id]
    assert owner != empty(address), "erc721: no such token"
    return owner


@internal
@view
def _is_owner_or_operator(account: address, owner: address) -> bool:
    """
    @dev Whether an account may do with a token what its owner may.
    @param account The account.
    @param owner The token's owner.
    @return bool True for the owner and the owner's operators.
    """
    return account == owner or self.isApprovedForAll[owner][account]


@internal
def _mint(to: address) -> uint256:
    """
    @dev Makes a token. The receiver is not asked.
    @param to Its first owner; the caller of a move, hence not the zero address.
    @return uint256 The token.
    """
    token_id: uint256 = self.totalSupply + 1
    self.totalSupply = token_id
    self.owners[token_id] = to
    self.balances[to] += 1
    log Transfer(sender=empty(address), receiver=to, token_id=token_id)
    return token_id


@internal
def _transfer(sender: address, to: address, token_id: uint256):
    """
    @dev Transfers a token for the caller, who must be its owner, an operator of the owner or the
         approved account. The approval ends. The receiver is not asked.
    @param sender The owner; anyone else is refused.
    @param to The new owner; not the zero address.
    @param token_id The token.
    """
    owner: address = self._owner_of(token_id)
    allowed: bool = self._is_owner_or_operator(msg.sender, owner) or msg.sender == self.approvals[token_id]
    assert allowed, "erc721: only the owner or an approved account"
    assert sender == owner, "erc721: the sender does not own the token"
    assert to != empty(address), "erc721: the receiver is the zero address"
    self.approvals[token_id] = empty(address)
    self.balances[owner] -= 1
    self.balances[to] += 1
    self.owners[token_id] = to
    log Transfer(sender=owner, receiver=to, token_id=token_id)


@internal
def _notify(sender: address, to: address, token_id: uint256, data: Bytes[DATA_MAX]):
    """
    @dev Tells a receiving contract about a completed transfer, and refuses unless it accepts it.
         An account without code is not asked.
    @param sender The former owner.
    @param to The new owner.
    @param token_id The token.
    @param data Handed on as given.
    """
    if to.is_contract:
        answer: bytes4 = extcall IReceiver(to).onERC721Received(msg.sender, sender, token_id, data)
        accepted: bytes4 = method_id("onERC721Received(address,address,uint256,bytes)", output_type=bytes4)
        assert answer == accepted, "erc721: the receiver does not accept tokens"
