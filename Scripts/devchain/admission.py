"""Checks raw transactions before the mempool accepts them; refusals have geth's texts."""

import rlp
from eth_utils import ValidationError

from devchain import limits
from devchain.errors import refused
from devchain.values import as_address

INITCODE_BYTES_MAX = 49_152
FORKS_WITH_INITCODE_LIMIT = ("shanghai", "cancun", "prague")
FORKS_WITH_DATA_FLOOR = ("prague",)
TRANSFER_GAS = 21_000
FLOOR_GAS_PER_TOKEN = 10
TYPES = (0, 1, 2)


def kind_of(transaction):
    """Returns the EIP-2718 type; 0 for a legacy transaction."""
    return getattr(transaction, "type_id", 0) or 0


def decode(builder, raw):
    """Decodes signed bytes of type legacy, 2930 or 1559."""
    if not raw:
        raise refused("typed transaction too short")
    if raw[0] < 0x80 and raw[0] not in TYPES[1:]:
        raise refused("transaction type not supported")
    if len(raw) > limits.TRANSACTION_BYTES_MAX:
        raise refused(f"oversized data: transaction size {len(raw)}, "
                      f"limit {limits.TRANSACTION_BYTES_MAX}")
    try:
        return builder.decode(raw)
    except (rlp.exceptions.RLPException, ValidationError, ValueError, TypeError) as error:
        raise refused(f"rlp: {brief(error)}") from error


def check(transaction, chain_id, fork, gas_limit, state):
    """Refuses a transaction that could never be mined on the given state."""
    check_signature(transaction, chain_id)
    if transaction.max_priority_fee_per_gas > transaction.max_fee_per_gas:
        raise refused("max priority fee per gas higher than max fee per gas: "
                      f"address {as_address(transaction.sender)}, "
                      f"maxPriorityFeePerGas: {transaction.max_priority_fee_per_gas}, "
                      f"maxFeePerGas: {transaction.max_fee_per_gas}")
    if transaction.gas > gas_limit:
        raise refused("exceeds block gas limit")
    if (fork in FORKS_WITH_INITCODE_LIMIT and not transaction.to
            and len(transaction.data) > INITCODE_BYTES_MAX):
        raise refused(f"max initcode size exceeded: code size {len(transaction.data)}, "
                      f"limit {INITCODE_BYTES_MAX}")
    if transaction.gas < transaction.intrinsic_gas:
        raise refused(f"intrinsic gas too low: gas {transaction.gas}, "
                      f"minimum needed {transaction.intrinsic_gas}")
    if transaction.gas < (floor := floor_gas(transaction.data, fork)):
        raise refused(f"insufficient gas for floor data gas cost: gas {transaction.gas}, "
                      f"minimum needed {floor}")
    nonce = state.get_nonce(transaction.sender)
    if transaction.nonce < nonce:
        raise refused(f"nonce too low: next nonce {nonce}, tx nonce {transaction.nonce}")
    cost = transaction.gas * transaction.max_fee_per_gas + transaction.value
    balance = state.get_balance(transaction.sender)
    if balance < cost:
        raise refused("insufficient funds for gas * price + value: "
                      f"balance {balance}, tx cost {cost}, overshot {cost - balance}")


def floor_gas(data, fork):
    """Returns the least gas that a transaction with `data` pays for (EIP-7623); py-evm does not require
    a limit that covers it."""
    if fork not in FORKS_WITH_DATA_FLOOR:
        return 0
    tokens = 4 * len(data) - 3 * data.count(0)
    return TRANSFER_GAS + FLOOR_GAS_PER_TOKEN * tokens


def check_signature(transaction, chain_id):
    if kind_of(transaction) == 0 and transaction.v in (27, 28):
        raise refused("only replay-protected (EIP-155) transactions allowed over RPC")
    if transaction.chain_id != chain_id:
        raise refused("invalid sender: invalid chain id for signer: "
                      f"have {transaction.chain_id} want {chain_id}")
    try:
        transaction.validate()
        transaction.check_signature_validity()
        transaction.sender  # recovers the key; py-evm caches it
    except Exception as error:  # eth_keys, coincurve and py-evm each raise their own
        raise refused(f"invalid sender: invalid transaction v, r, s values: {brief(error)}"
                      ) from error


def brief(error):
    return (str(error) or type(error).__name__).splitlines()[0][:200]
