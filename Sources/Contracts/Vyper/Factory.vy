# pragma version 0.4.3
# pragma optimize gas
# pragma evm-version london
"""
@title Factory
@custom:contract-name Factory
@notice Deploys contracts at addresses that prove what they were deployed from.
@dev Equal runtime code does not prove a contract genuine, because creation code can write storage
     first. An address made here commits to the whole creation code with its arguments. The factory
     has no owner and no state, and anyone may use it.
     Source: EIP-1014; Docs/contracts.md, section 1.
"""


# A contract was deployed.
event Created:
    contract: indexed(address)
    salt: bytes32


# The limit of creation code on chains with EIP-3860: twice the largest runtime code (EIP-170).
CODE_MAX: constant(uint256) = 24_576 * 2


@external
def create(salt: bytes32, code: Bytes[CODE_MAX]) -> address:
    """
    @notice Deploys a contract by CREATE2. Refuses if that fails or leaves no code.
    @param salt Tells apart contracts made from the same code.
    @param code Creation code followed by the ABI encoding of the constructor's arguments.
    @return address The last 20 bytes of keccak256(0xff ‖ this contract ‖ salt ‖ keccak256(code)).
    """
    contract: address = raw_create(code, salt=salt)
    assert contract.is_contract, "factory: no contract was made"
    log Created(contract=contract, salt=salt)
    return contract
