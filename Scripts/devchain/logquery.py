"""The query of eth_getLogs, log filters and log subscriptions."""

from devchain import limits
from devchain.errors import invalid_params
from devchain.values import address, as_hex, octets

KNOWN = {"address", "topics", "fromBlock", "toBlock", "blockHash"}


class LogQuery:
    """A set of addresses and topic positions, each open or a set of alternatives."""

    def __init__(self, query):
        if not isinstance(query, dict):
            raise invalid_params("invalid argument 0: a filter must be an object")
        if unknown := set(query) - KNOWN:
            raise invalid_params(f"invalid argument 0: unknown filter field {min(unknown)!r}")
        if query.get("blockHash") is not None and (
                query.get("fromBlock") is not None or query.get("toBlock") is not None):
            raise invalid_params(
                "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other")
        self.block_hash = query.get("blockHash")
        self.first, self.last = query.get("fromBlock"), query.get("toBlock")
        self.addresses = self._addresses(query.get("address"))
        self.topics = self._topics(query.get("topics"))

    @staticmethod
    def _addresses(value):
        values = [] if value is None else value if isinstance(value, list) else [value]
        if len(values) > limits.LOG_ADDRESSES_MAX:
            raise invalid_params(f"at most {limits.LOG_ADDRESSES_MAX} addresses in a filter")
        return {address(item) for item in values}

    @staticmethod
    def _topics(value):
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > 4:
            raise invalid_params("invalid argument 0: topics must be a list of at most four")
        positions = []
        for item in value:
            alternatives = item if isinstance(item, list) else [item]
            if len(alternatives) > limits.LOG_TOPIC_ALTERNATIVES_MAX:
                raise invalid_params("invalid argument 0: too many topic alternatives")
            open_here = not alternatives or any(one is None for one in alternatives)
            positions.append(None if open_here
                             else {as_hex(octets(one, 32)) for one in alternatives})
        return positions

    def matches(self, log):
        if self.addresses and octets(log["address"]) not in self.addresses:
            return False
        topics = log["topics"]
        return len(self.topics) <= len(topics) and all(
            wanted is None or topic in wanted for wanted, topic in zip(self.topics, topics))
