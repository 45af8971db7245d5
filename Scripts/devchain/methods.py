"""The table of methods: which function answers which name."""

import inspect
from importlib.metadata import version

from eth_utils import keccak

from devchain import fees, legacy
from devchain.calls import Call
from devchain.control import control_methods
from devchain.errors import RPCError, METHOD_NOT_FOUND, invalid_params, refused
from devchain.filters import Filters
from devchain.logquery import LogQuery
from devchain.privatepool import PrivatePool
from devchain.reading import Reading
from devchain.values import as_hex, octets, quantity


class Method:
    """A function with the number of its arguments."""

    def __init__(self, function):
        self.function = function
        kinds = inspect.signature(function).parameters.values()
        self.least = sum(p.default is p.empty for p in kinds)
        self.most = len(kinds)

    def __call__(self, arguments):
        if len(arguments) > self.most:
            raise invalid_params(f"too many arguments, want at most {self.most}")
        if len(arguments) < self.least:
            raise invalid_params(f"missing value for required argument {len(arguments)}")
        return self.function(*arguments)


class Methods:
    """All methods of one node."""

    def __init__(self, node, interval, has_base_fee=True, is_private=False):
        self.node, self.interval, self.has_base_fee = node, interval, has_base_fee
        self.reading, self.filters = Reading(node), Filters(node)
        table = self._chain() | self._lookups() | self._writing() | self._filters()
        table |= control_methods(node, interval)
        if is_private:
            table |= PrivatePool(node, self.reading).methods()
        if not has_base_fee:
            table = legacy.changed(table)
        self.table = {name: Method(function) for name, function in table.items()}

    def answer(self, name, arguments):
        method = self.table.get(name)
        if method is None:
            raise RPCError(METHOD_NOT_FOUND,
                           f"the method {name} does not exist/is not available")
        return method(arguments)

    def _chain(self):
        node, reading = self.node, self.reading
        return {
            "web3_clientVersion": lambda: client_version(node.settings.fork),
            "web3_sha3": lambda data: as_hex(keccak(octets(data))),
            "net_version": lambda: str(node.faults.chain_id(node.settings.chain_id)),
            "net_listening": lambda: True,
            "net_peerCount": lambda: "0x0",
            "eth_chainId": lambda: hex(node.faults.chain_id(node.settings.chain_id)),
            "eth_blockNumber": lambda: hex(reading.head_number()),
            "eth_syncing": lambda: False,
            "eth_accounts": lambda: list(node.keys),
            "eth_gasPrice": lambda: hex(node.chain.header.base_fee_per_gas + fees.TIP_WEI),
            "eth_maxPriorityFeePerGas": lambda: hex(fees.TIP_WEI),
            "eth_feeHistory": self._fee_history,
            "txpool_status": reading.pool_status,
            "txpool_content": reading.pool_content,
        }

    def _lookups(self):
        reading = self.reading
        return {
            "eth_getBalance": reading.balance,
            "eth_getTransactionCount": reading.transaction_count,
            "eth_getCode": reading.code,
            "eth_getStorageAt": reading.storage,
            "eth_getBlockByNumber": reading.block,
            "eth_getBlockByHash": reading.block_by_hash,
            "eth_getBlockTransactionCountByNumber": reading.transactions_in,
            "eth_getBlockTransactionCountByHash": reading.transactions_in,
            "eth_getBlockReceipts": reading.receipts,
            "eth_getTransactionByHash": reading.transaction,
            "eth_getTransactionByBlockNumberAndIndex": reading.transaction_in,
            "eth_getTransactionByBlockHashAndIndex": reading.transaction_in,
            "eth_getTransactionReceipt": reading.receipt,
            "eth_getLogs": reading.logs,
        }

    def _writing(self):
        return {
            "eth_call": self._call,
            "eth_estimateGas": self._estimate,
            "eth_sendRawTransaction": lambda raw: self.node.send(octets(raw)),
            "eth_sendTransaction": self._send_unsigned,
        }

    def _filters(self):
        filters = self.filters
        return {
            "eth_newFilter": lambda query: filters.add("logs", LogQuery(query)),
            "eth_newBlockFilter": lambda: filters.add("newHeads"),
            "eth_newPendingTransactionFilter": lambda: filters.add("newPendingTransactions"),
            "eth_getFilterChanges": filters.changes,
            "eth_getFilterLogs": self._filter_logs,
            "eth_uninstallFilter": filters.remove,
        }

    def _fee_history(self, blocks, newest, percentiles=None):
        return fees.history(self.node, blocks, self.reading.need(newest), percentiles or [])

    def _call(self, params, tag="latest", overrides=None):
        if overrides:
            raise refused("state overrides are not supported")
        return as_hex(Call(self.node, params, self.reading.header(tag)).result())

    def _estimate(self, params, tag="latest", overrides=None):
        if overrides:
            raise refused("state overrides are not supported")
        return hex(Call(self.node, params, self.reading.header(tag)).estimate())

    def _filter_logs(self, identifier):
        found = self.filters.get(identifier)
        if found.query is None:
            raise refused("filter not found")
        return self.reading.logs_of(found.query)

    def _send_unsigned(self, params):
        """Signs with one of the development accounts and sends."""
        call = Call(self.node, params, self.node.header)
        account = next((a for a in self.node.keys.values()
                        if octets(a.address) == call.sender), None)
        if account is None:
            raise refused("unknown account")
        fields = {"value": call.value, "data": call.data,
                  "gas": call.gas if params.get("gas") else call.estimate() * 6 // 5}
        if call.to:
            fields["to"] = call.to
        for name in ("nonce", "maxFeePerGas", "maxPriorityFeePerGas"):
            if params.get(name) is not None:
                fields[name] = quantity(params[name])
        if params.get("gasPrice") is not None:
            fields |= {"maxFeePerGas": quantity(params["gasPrice"]),
                       "maxPriorityFeePerGas": quantity(params["gasPrice"])}
        return self.node.sign_and_send(account, fields)


def client_version(fork):
    return f"devchain/1/py-evm-{version('py-evm')}/{fork}"
