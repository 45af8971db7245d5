"""eth_call and eth_estimateGas."""

from eth.exceptions import OutOfGas, Revert, VMError
from eth.vm.spoof import SpoofTransaction
from eth_utils import ValidationError

from devchain import limits
from devchain.admission import brief, floor_gas
from devchain.errors import invalid_params, refused, reverted
from devchain.patience import at_most
from devchain.values import address, as_address, octets, quantity

# How far an estimate may be above the least possible gas, as in geth's estimator.
ERROR_RATIO = 0.015
CALL_STIPEND = 2_300


class Call:
    """The parsed arguments of a call, on the state and in the context of `header`."""

    def __init__(self, node, params, header):
        if not isinstance(params, dict):
            raise invalid_params("invalid argument 0: a call must be an object")
        self.chain, self.header, self.fork = node.chain, header, node.settings.fork
        self.sender = address(params["from"]) if params.get("from") else b"\0" * 20
        self.to = address(params["to"]) if params.get("to") else b""
        self.data = self._data(params)
        self.value = quantity(params["value"]) if params.get("value") is not None else 0
        gas = quantity(params["gas"], 64) if params.get("gas") is not None else header.gas_limit
        self.gas = min(gas, header.gas_limit)
        fee = params.get("maxFeePerGas") or params.get("gasPrice")
        self._check_funds(quantity(fee) if fee else 0)

    @staticmethod
    def _data(params):
        data, given = params.get("data"), params.get("input")
        if data is not None and given is not None and data != given:
            raise invalid_params('both "data" and "input" are set and not equal. '
                                 'Please use "input" to pass transaction call data')
        return octets(given if given is not None else data if data is not None else "0x")

    def _check_funds(self, fee):
        who, state = as_address(self.sender), self.chain.get_vm(self.header).state
        self.nonce, balance = state.get_nonce(self.sender), state.get_balance(self.sender)
        if 0 < fee < self.header.base_fee_per_gas:
            raise refused(f"max fee per gas less than block base fee: address {who}, "
                          f"maxFeePerGas: {fee}, baseFee: {self.header.base_fee_per_gas}")
        want = self.value + fee * self.gas
        if balance < want:
            raise refused("insufficient funds for gas * price + value: "
                          f"address {who} have {balance} want {want}")

    def transaction(self, gas):
        unsigned = self.chain.create_unsigned_transaction(
            nonce=self.nonce, gas_price=0, gas=gas, to=self.to, value=self.value, data=self.data)
        return SpoofTransaction(unsigned, from_=self.sender)

    def result(self):
        """Runs the call and returns its output."""
        with at_most(limits.CALL_SECONDS_MAX):
            computation = self._run(self._state(), self.gas)
        raise_failure(computation)
        return computation.output

    def estimate(self):
        """Returns enough gas, at most 1.5 percent above the least that is enough."""
        with at_most(limits.CALL_SECONDS_MAX):
            state = self._state()
            computation = self._run(state, self.gas)
            if computation.is_error and isinstance(computation.error, OutOfGas):
                raise refused(f"gas required exceeds allowance ({self.gas})")
            raise_failure(computation)
            least = self._search(state, self.gas - computation.get_gas_remaining())
        return max(least, floor_gas(self.data, self.fork))

    def _state(self):
        """Returns a temporary state, in the context of the header itself, with free gas."""
        vm = self.chain.get_vm(self.header)
        return vm.build_state(self.chain.chaindb.db, self.header.copy(base_fee_per_gas=0),
                              vm.chain_context, vm.previous_hashes)

    def _search(self, state, used):
        intrinsic, high = self.transaction(self.gas).intrinsic_gas, self.gas
        if used <= intrinsic and self._suffices(state, intrinsic):
            return intrinsic
        low = intrinsic
        guess = (used + CALL_STIPEND) * 64 // 63
        while low + 1 < high and (high - low) / high > ERROR_RATIO:
            middle = guess if low < guess < high else min((low + high) // 2, 2 * low)
            guess = 0
            if self._suffices(state, middle):
                high = middle
            else:
                low = middle
        return high

    def _suffices(self, state, gas):
        try:
            return not self._run(state, gas).is_error
        except (ValidationError, VMError):
            return False

    def _run(self, state, gas):
        snapshot = state.snapshot()
        try:
            return state.costless_execute_transaction(self.transaction(gas))
        except (ValidationError, VMError) as error:
            if gas < self.transaction(gas).intrinsic_gas:
                raise refused("intrinsic gas too low: gas "
                              f"{gas}, minimum needed {self.transaction(gas).intrinsic_gas}"
                              ) from error
            raise refused(brief(error)) from error
        finally:
            state.revert(snapshot)


def raise_failure(computation):
    """Raises geth's error for a failed computation."""
    if not computation.is_error:
        return
    error = computation.error
    if isinstance(error, Revert):
        raise reverted(computation.output)
    if isinstance(error, OutOfGas):
        raise refused("out of gas")
    raise refused(brief(error))
