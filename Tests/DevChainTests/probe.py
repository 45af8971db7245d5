"""A small contract, assembled here, that answers, reverts, logs or spins as it is told.

Called without data it returns (stored word, block number, block time). Else the first word of
the data commands: 0 reverts with the rest of the data; 1 loops until the gas ends; any other
word is stored in slot 0 and becomes the topic of a log whose data is the rest.
"""

COPY_REST = "6020360380602060" "0037"  # copies the data after the first word; leaves its length
ANSWER = bytes.fromhex("5b600054600052436020524260405260606000f3")
LOG = bytes.fromhex("600035" "600035600055" + COPY_REST + "6000a100")
REVERT = bytes.fromhex("5b" + COPY_REST + "6000fd")
JUMPS_SIZE = 5 + 7 + 9


def runtime():
    """The deployed code: three jumps, then the branches."""
    answer = JUMPS_SIZE + len(LOG)
    revert = answer + len(ANSWER)
    spin = revert + len(REVERT)
    jumps = (f"361560{answer:02x}57" f"6000351560{revert:02x}57" f"60003560011460{spin:02x}57")
    return (bytes.fromhex(jumps) + LOG + ANSWER + REVERT
            + bytes.fromhex(f"5b60{spin:02x}56"))


def creation():
    """Code that returns the runtime code."""
    code = runtime()
    return bytes.fromhex(f"60{len(code):02x}80600b6000396000f3") + code


def command(word, rest=b""):
    """Call data: a command word and what follows it."""
    return "0x" + (word.to_bytes(32, "big") + rest).hex()


def error_string(text):
    """Revert data of Solidity's Error(string)."""
    body = text.encode()
    padded = body + b"\0" * (-len(body) % 32)
    return (bytes.fromhex("08c379a0") + (32).to_bytes(32, "big")
            + len(body).to_bytes(32, "big") + padded)


def panic(code):
    """Revert data of Solidity's Panic(uint256)."""
    return bytes.fromhex("4e487b71") + code.to_bytes(32, "big")
