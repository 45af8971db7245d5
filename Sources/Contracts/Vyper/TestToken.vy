# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title TestToken
@custom:contract-name TestToken
@notice An ERC-20 token for development chains: anyone may mint any amount, so it is worth nothing.
@dev Source: EIP-20.
"""
from snekmate.auth import ownable
from snekmate.tokens import erc20

initializes: ownable
initializes: erc20[ownable := ownable]

exports: (
    erc20.allowance,
    erc20.approve,
    erc20.balanceOf,
    erc20.decimals,
    erc20.name,
    erc20.symbol,
    erc20.totalSupply,
    erc20.transfer,
    erc20.transferFrom,
)


@deploy
def __init__(name: String[25], symbol: String[5], decimals: uint8):
    """
    @notice Makes a token nobody holds yet.
    @param name Its name.
    @param symbol Its symbol.
    @param decimals How many decimals a client shows.
    """
    ownable.__init__()
    erc20.__init__(name, symbol, decimals, name, "1")


@external
def mint(to: address, amount: uint256):
    """
    @notice Gives `to` new tokens.
    @param to Who receives them.
    @param amount How many, in the smallest unit.
    """
    erc20._mint(to, amount)
