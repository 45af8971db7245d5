# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title Item
@custom:contract-name Item
@notice The tokens of one market. Each stands for one thing that its maker offered, named by the hash
        of its content; the maker receives the royalty of every sale.
@dev ERC-721 with metadata (without an address), ERC-2981 and ERC-165. Nobody owns this contract and
     no sale contract is admitted: a contract is a sale contract if its `ITEM()` is this address.
     A person cannot transfer a token into a sale contract, where it would be stranded; a sale
     contract can transfer to anyone, so no receiver can block the end of a sale.
     Source: EIP-721, EIP-2981, EIP-165; Docs/contracts.md, section 2.
"""
import erc721

initializes: erc721

exports: (
    erc721.approve,
    erc721.balanceOf,
    erc721.getApproved,
    erc721.isApprovedForAll,
    erc721.ownerOf,
    erc721.setApprovalForAll,
    erc721.totalSupply,
)


# A token was minted to `minter`: the maker himself, or a contract that he allowed.
event Minted:
    token: indexed(uint256)
    maker: indexed(address)
    minter: indexed(address)
    content_hash: bytes32


# A maker lets a contract mint tokens that name him as maker, or no longer.
event MinterAllowed:
    maker: indexed(address)
    minter: indexed(address)
    allowed: bool


# The contract was deployed, with what it can never change.
event Deployed:
    maker_bps: uint256


# ERC-165 itself, ERC-721, its metadata extension, ERC-2981.
INTERFACES: constant(bytes4[4]) = [0x01FFC9A7, 0x80AC58CD, 0x5B5E139F, 0x2A55205A]
BPS: constant(uint256) = 10_000
MAKER_BPS_MAX: constant(uint256) = 1_000
# How much gas a contract may spend to answer `ITEM()`; a sale contract needs less than 1,000.
ASK_GAS: constant(uint256) = 10_000

# The maker's royalty in basis points of the seller's part of a price.
MAKER_BPS: public(immutable(uint256))

# Token → the hash of what it stands for.
content_hash: public(HashMap[uint256, bytes32])
# Token → the account that receives the royalty of its sales, for ever.
maker: public(HashMap[uint256, address])
# Maker → contract → whether it may mint tokens that name him as maker.
is_minter: public(HashMap[address, HashMap[address, bool]])


@deploy
def __init__(maker_bps: uint256):
    """
    @notice Fixes the royalty for ever.
    @param maker_bps The maker's royalty in basis points, at most 1,000.
    """
    assert maker_bps <= MAKER_BPS_MAX, "item: royalty above 10 %"
    MAKER_BPS = maker_bps
    log Deployed(maker_bps=maker_bps)


@external
@view
def name() -> String[9]:
    """
    @notice The collection's name (EIP-721, metadata).
    @return String Always "Stoa Item".
    """
    return "Stoa Item"


@external
@view
def symbol() -> String[4]:
    """
    @notice The collection's symbol (EIP-721, metadata).
    @return String Always "ITEM".
    """
    return "ITEM"


@external
@view
def tokenURI(token_id: uint256) -> String[1]:
    """
    @notice The address of a token's description (EIP-721, metadata): none, the market holds it.
    @param token_id The token.
    @return String Always empty.
    """
    erc721._owner_of(token_id)
    return ""


@external
def allow_minter(minter: address, allowed: bool):
    """
    @notice Lets a contract mint tokens that name the caller as maker, or no longer.
    @param minter A sale contract that the caller trusts.
    @param allowed Whether it may.
    """
    self.is_minter[msg.sender][minter] = allowed
    log MinterAllowed(maker=msg.sender, minter=minter, allowed=allowed)


@external
def mint(maker: address, content_hash: bytes32) -> uint256:
    """
    @notice Mints a token to the caller.
    @dev The receiver is not asked: a sale contract mints to itself while it holds its lock.
    @param maker Who receives the royalty of its sales: the caller, or an account that allowed him.
    @param content_hash The hash of what the token stands for; not zero.
    @return uint256 The token, counted from 1.
    """
    allowed: bool = msg.sender == maker or self.is_minter[maker][msg.sender]
    assert allowed, "item: the maker has not allowed this minter"
    assert content_hash != empty(bytes32), "item: content hash is zero"
    token: uint256 = erc721._mint(msg.sender)
    self.content_hash[token] = content_hash
    self.maker[token] = maker
    log Minted(token=token, maker=maker, minter=msg.sender, content_hash=content_hash)
    return token


@external
def transferFrom(owner: address, to: address, token_id: uint256):
    """
    @notice Transfers a token of `owner`; the caller is the owner or approved by him.
    @dev Takes no value, which EIP-721 allows, so that none can be lost here.
    @param owner The token's owner.
    @param to The new owner; a sale contract only if a sale contract calls.
    @param token_id The token.
    """
    self._transfer(owner, to, token_id)


@external
def safeTransferFrom(owner: address, to: address, token_id: uint256, data: Bytes[erc721.DATA_MAX] = b""):
    """
    @notice As `transferFrom`; if the receiver is a contract, it must accept the token.
    @dev Takes no value, which EIP-721 allows, so that none can be lost here.
    @param owner The token's owner.
    @param to The new owner; a sale contract only if a sale contract calls.
    @param token_id The token.
    @param data Handed to the receiving contract, at most 1,024 bytes.
    """
    self._transfer(owner, to, token_id)
    erc721._notify(owner, to, token_id, data)


@external
@view
def royaltyInfo(token_id: uint256, sale_price: uint256) -> (address, uint256):
    """
    @notice Who receives the royalty of a sale, and how much (EIP-2981).
    @param token_id The token.
    @param sale_price The seller's part of the sale, in any currency.
    @return address The token's maker.
    @return uint256 floor(sale_price × MAKER_BPS / 10,000), for every 256-bit price.
    """
    erc721._owner_of(token_id)
    # By quotient and remainder, because the plain product overflows for the largest prices.
    whole: uint256 = sale_price // BPS * MAKER_BPS
    return (self.maker[token_id], whole + sale_price % BPS * MAKER_BPS // BPS)


@external
@view
def supportsInterface(interface_id: bytes4) -> bool:
    """
    @notice Whether the contract implements an interface (EIP-165).
    @param interface_id The interface's identifier.
    @return bool True for ERC-165, ERC-721, its metadata extension and ERC-2981.
    """
    return interface_id in INTERFACES


@internal
def _transfer(owner: address, to: address, token_id: uint256):
    """
    @dev Transfers, unless that would strand the token. The sender is asked first, and a receiver
         only if the sender is no sale contract: then whatever the receiver is or does, the end of a
         sale succeeds.
    @param owner The token's owner.
    @param to The new owner.
    @param token_id The token.
    """
    assert to != self, "item: this contract cannot use a token"
    if not self._is_sale_contract(msg.sender):
        assert not self._is_sale_contract(to), "item: list it, a sale contract accepts no other token"
    erc721._transfer(owner, to, token_id)


@internal
@view
def _is_sale_contract(account: address) -> bool:
    """
    @dev Whether an account answers `ITEM()` with this contract's address. One that fails, spends too
         much gas or answers too little does not; at most 32 bytes of the answer are read.
    @param account Any account.
    @return bool Whether it is a sale contract of this market.
    """
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        account,
        method_id("ITEM()"),
        max_outsize=32,
        gas=ASK_GAS,
        is_static_call=True,
        revert_on_failure=False,
    )
    return success and len(answer) == 32 and convert(answer, bytes32) == convert(self, bytes32)
