# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title Item
@custom:contract-name Item
@notice The tokens of one market: each is one thing that was offered for sale, named by the hash
        of its content and bound for ever to the account that offered it first, its maker.
@dev ERC-721 (enumerable, without a metadata address), ERC-2981 and ERC-165. Deployed before the
     sale contracts, which carry its address. The deployer then calls `seal` once: before it nothing
     can be minted, after it nothing can be changed and nobody owns the contract. There is no burning.
     A token reaches a sale contract only by that contract's own call, so none can be stranded there
     and no listing can be forged by sending one.
     Source: EIP-721, EIP-2981, EIP-165; Docs/contracts.md, section 2.
"""
from ethereum.ercs import IERC165
from ethereum.ercs import IERC721
from snekmate.auth import ownable
from snekmate.extensions.interfaces import IERC2981
from snekmate.tokens import erc721

implements: IERC165
implements: IERC2981

initializes: ownable
initializes: erc721[ownable := ownable]

exports: (
    ownable.owner,
    erc721.balanceOf,
    erc721.getApproved,
    erc721.isApprovedForAll,
    erc721.is_minter,
    erc721.name,
    erc721.ownerOf,
    erc721.setApprovalForAll,
    erc721.symbol,
    erc721.tokenByIndex,
    erc721.tokenOfOwnerByIndex,
    erc721.tokenURI,
    erc721.totalSupply,
)

# A token was minted into the sale contract `minter`. `maker` is its first owner and receives the
# royalty of every sale; `content_hash` never changes.
event Minted:
    token: indexed(uint256)
    maker: indexed(address)
    minter: indexed(address)
    content_hash: bytes32

# The sale contracts are fixed for ever; from here on the contract has no owner.
event Sealed:
    minters: DynArray[address, MINTERS_MAX]

# ERC-165 identifiers: ERC-165, ERC-721, its metadata and enumeration extensions, ERC-2981.
INTERFACES: constant(bytes4[5]) = [0x01FFC9A7, 0x80AC58CD, 0x5B5E139F, 0x780E9D63, 0x2A55205A]
MINTERS_MAX: constant(uint256) = 8
BPS: constant(uint256) = 10_000
MAKER_BPS_MAX: constant(uint256) = 1_000

# The maker's royalty in basis points of the seller's part; every sale contract of the market reads it.
MAKER_BPS: public(immutable(uint256))

# Whether the sale contracts are fixed.
is_sealed: public(bool)
# Token → the hash of what it stands for.
content_hash: public(HashMap[uint256, bytes32])
# Token → its first owner, who receives the royalty of every sale.
maker: public(HashMap[uint256, address])


@deploy
def __init__(maker_bps: uint256):
    """
    @notice Makes the market's tokens, not yet sealed.
    @param maker_bps The maker's royalty in basis points, at most 1,000.
    """
    assert maker_bps <= MAKER_BPS_MAX, "item: royalty above 10 %"
    ownable.__init__()
    erc721.__init__("Stoa Item", "ITEM", "", "Stoa Item", "1")
    # The module makes the deployer a minter; here only sealed sale contracts are.
    erc721.is_minter[msg.sender] = False
    log erc721.RoleMinterChanged(minter=msg.sender, status=False)
    MAKER_BPS = maker_bps


@external
def seal(minters: DynArray[address, MINTERS_MAX]):
    """
    @notice Fixes the sale contracts for ever and gives up ownership.
    @param minters The market's sale contracts; the `ITEM()` of each must be this contract.
    """
    assert not self.is_sealed, "item: already sealed"
    ownable._check_owner()
    assert len(minters) > 0, "item: no sale contract to seal"
    self.is_sealed = True
    for minter: address in minters:
        assert not erc721.is_minter[minter], "item: sale contract named twice"
        assert self._serves_this_item(minter), "item: sale contract is not of this item"
        erc721.is_minter[minter] = True
        log erc721.RoleMinterChanged(minter=minter, status=True)
    log Sealed(minters=minters)
    ownable._transfer_ownership(empty(address))


@external
def mint(maker: address, content_hash: bytes32) -> uint256:
    """
    @notice Mints a token into the calling sale contract.
    @param maker Its first owner, for whom the sale contract acts.
    @param content_hash The hash of what the token stands for; not zero.
    @return uint256 The token, counted from 1.
    """
    assert erc721.is_minter[msg.sender], "item: only a sealed sale contract mints"
    assert maker != empty(address), "item: maker is the zero address"
    assert content_hash != empty(bytes32), "item: content hash is zero"
    token: uint256 = erc721._counter + 1
    erc721._counter = token
    self.content_hash[token] = content_hash
    self.maker[token] = maker
    log Minted(token=token, maker=maker, minter=msg.sender, content_hash=content_hash)
    erc721._mint(msg.sender, token)
    return token


@external
def approve(to: address, token_id: uint256):
    """
    @notice Allows `to` to move a token until it moves; the zero address takes it back.
    @dev Takes no value, unlike the standard's declaration, so that none can be lost here.
    @param to Who may move it.
    @param token_id The token; the caller owns it or may move all of its owner's.
    """
    owner: address = erc721._owner_of(token_id)
    assert to != owner, "erc721: approval to current owner"
    allowed: bool = msg.sender == owner or erc721.isApprovedForAll[owner][msg.sender]
    assert allowed, "erc721: approve caller is not token owner or approved for all"
    erc721._approve(to, token_id)


@external
def transferFrom(owner: address, to: address, token_id: uint256):
    """
    @notice Moves a token of `owner`, who calls or has approved the caller.
    @dev Takes no value, unlike the standard's declaration, so that none can be lost here.
    @param owner Who holds the token.
    @param to Who shall hold it; a sale contract only where it calls itself.
    @param token_id The token.
    """
    self._check_transfer(to, token_id)
    erc721._transfer(owner, to, token_id)


@external
def safeTransferFrom(owner: address, to: address, token_id: uint256, data: Bytes[1_024] = b""):
    """
    @notice As `transferFrom`; a contract that receives must answer as EIP-721 says.
    @param owner Who holds the token.
    @param to Who shall hold it; a sale contract only where it calls itself.
    @param token_id The token.
    @param data Handed to the receiving contract.
    """
    self._check_transfer(to, token_id)
    erc721._safe_transfer(owner, to, token_id, data)


@external
@view
def royaltyInfo(token_id: uint256, sale_price: uint256) -> (address, uint256):
    """
    @notice Who receives the royalty of a token, and how much of a price (EIP-2981).
    @param token_id The token.
    @param sale_price The seller's part of the sale, in any currency.
    @return address The token's maker.
    @return uint256 floor(sale_price × MAKER_BPS / 10,000), for every 256-bit price.
    """
    erc721._require_minted(token_id)
    # By quotient and remainder, because the plain product overflows for the largest prices.
    whole: uint256 = sale_price // BPS * MAKER_BPS
    return (self.maker[token_id], whole + sale_price % BPS * MAKER_BPS // BPS)


@external
@view
def supportsInterface(interface_id: bytes4) -> bool:
    """
    @notice Whether the contract implements an interface (EIP-165).
    @param interface_id The interface's identifier.
    @return bool True for ERC-165, ERC-721 with metadata and enumeration, and ERC-2981.
    """
    return interface_id in INTERFACES


@internal
def _check_transfer(to: address, token: uint256):
    """
    @dev Refuses who may not move the token, and every move into a sale contract that does not
         make it itself.
    """
    assert erc721._is_approved_or_owner(msg.sender, token), "erc721: caller is not token owner or approved"
    assert not erc721.is_minter[to] or msg.sender == to, "item: list it, a sale contract takes no other token"


@internal
@view
def _serves_this_item(minter: address) -> bool:
    """
    @dev Whether the contract answers `ITEM()` with this contract's address.
    """
    success: bool = False
    answer: Bytes[64] = b""
    success, answer = raw_call(
        minter, method_id("ITEM()"), max_outsize=64, is_static_call=True, revert_on_failure=False
    )
    return success and answer == abi_encode(self)
