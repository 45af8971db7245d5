"""Errors in geth's form: code, text, and revert data in `error.data`."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVER_ERROR = -32000
LIMIT_EXCEEDED = -32005
REVERTED = 3

REVERT_SELECTOR = bytes.fromhex("08c379a0")
PANIC_SELECTOR = bytes.fromhex("4e487b71")

# Source: Solidity, "Panic via assert and Error via require"; texts as geth's.
PANIC_REASONS = {
    0x00: "generic panic",
    0x01: "assert(false)",
    0x11: "arithmetic underflow or overflow",
    0x12: "division or modulo by zero",
    0x21: "enum overflow",
    0x22: "invalid encoded storage byte array accessed",
    0x31: "out-of-bounds array access; popping on an empty array",
    0x32: "out-of-bounds access of an array or bytesN",
    0x41: "out of memory",
    0x51: "uninitialized function",
}


class RPCError(Exception):
    """An error that is answered as `{"error": …}`."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    def shape(self):
        shape = {"code": self.code, "message": self.message}
        if self.data is not None:
            shape["data"] = self.data
        return shape


class StateError(Exception):
    """The state file cannot be used; the message says what to do."""


def invalid_params(message):
    return RPCError(INVALID_PARAMS, message)


def refused(message):
    return RPCError(SERVER_ERROR, message)


def reverted(data):
    """Returns the error for a call that reverted with `data`, with its reason as text if it has one."""
    reason = revert_reason(data)
    message = "execution reverted" + (f": {reason}" if reason is not None else "")
    return RPCError(REVERTED, message, "0x" + data.hex())


def revert_reason(data):
    """Returns the text of `Error(string)` or `Panic(uint256)`, or None for any other revert data."""
    selector, body = data[:4], data[4:]
    if selector == REVERT_SELECTOR and len(body) >= 64:
        start = int.from_bytes(body[:32], "big") + 32
        length = int.from_bytes(body[start - 32:start], "big")
        if start + length > len(body):
            return None
        return body[start:start + length].decode("utf-8", "replace")
    if selector == PANIC_SELECTOR and len(body) == 32:
        code = int.from_bytes(body, "big")
        return PANIC_REASONS.get(code, f"unknown panic code: {code:#x}")
    return None
