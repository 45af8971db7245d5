"""The ABI of Courses is the one that clients are written for: docs section 12."""

from machine import artifact, signature

TERMS = "(address,uint256,uint256,uint256,uint256,uint256,uint256)"
FUNCTIONS = {
    f"open(bytes32,bytes32,{TERMS})": ("nonpayable", ["bytes32"]),
    f"repeat(bytes32,{TERMS})": ("nonpayable", []),
    f"enrol(bytes32,uint256,{TERMS})": ("payable", []),
    f"leave(bytes32,uint256,{TERMS})": ("nonpayable", []),
    f"begin(bytes32,uint256,{TERMS})": ("nonpayable", []),
    f"cancel(bytes32,uint256,{TERMS})": ("nonpayable", []),
    f"refund(bytes32,uint256,{TERMS})": ("nonpayable", []),
    f"evaluate(bytes32,uint256,{TERMS},uint256[5])": ("nonpayable", []),
    f"settle(bytes32,uint256,{TERMS})": ("nonpayable", []),
    "course_id(address,bytes32,bytes32)": ("view", ["bytes32"]),
    "course(bytes32)": ("view", ["teacher", "promise", "rounds", "points", "raters"]),
    "round_of(bytes32,uint256)": ("view", ["status", "terms_hash", "enrolled", "raters", "points", "price"]),
    "state(bytes32)": ("view", ["teacher", "promise", "rounds", "points", "raters", "then",
                                "status", "terms_hash", "enrolled", "raters", "points", "price"]),
    "is_student(bytes32,uint256,address)": ("view", ["bool"]),
    "has_rated(bytes32,uint256,address)": ("view", ["bool"]),
    "has_refunded(bytes32,uint256,address)": ("view", ["bool"]),
    "PLATFORM()": ("view", ["address"]),
    "CHAIN_ID()": ("view", ["uint256"]),
    "is_currency(address)": ("view", ["bool"]),
    "owed(address)": ("view", ["uint256"]),
    "credit(address,address)": ("view", ["uint256"]),
    "currencies()": ("view", ["address[]"]),
    "withdraw(address,uint256,address)": ("nonpayable", []),
}
# Signature → how many of its first parameters are indexed, and the names of all.
EVENTS = {
    "Deployed(address,address[])": (1, "platform currencies"),
    f"Opened(bytes32,address,bytes32,bytes32,uint256,{TERMS},uint256)":
        (3, "id teacher promise salt round terms at"),
    "Enrolled(bytes32,address,uint256,uint256,uint256)": (2, "id student round enrolled at"),
    "Left(bytes32,address,uint256,uint256,uint256)": (2, "id student round enrolled at"),
    "Begun(bytes32,uint256,uint256)": (1, "id round at"),
    "Cancelled(bytes32,address,uint256,uint256)": (2, "id by round at"),
    "Refunded(bytes32,address,uint256,uint256,uint256)": (2, "id student round amount at"),
    "Evaluated(bytes32,address,uint256,uint256[5],uint256)": (2, "id student round points at"),
    "Settled(bytes32,uint256,address,uint256,uint256,(uint256,uint256),uint256)":
        (1, "id round by average incentive payout at"),
    "Credited(address,address,bytes32,uint256)": (3, "currency account id amount"),
    "Withdrawn(address,address,address,uint256)": (3, "currency account to amount"),
}


def of_type(kind: str) -> dict[str, dict]:
    """The entries of the ABI of one type, by their signature."""
    return {signature(e): e for e in artifact("Courses")["abi"] if e["type"] == kind}


def answers(entry: dict) -> list[str]:
    """What a function answers: the names of structures' members, else the types."""
    outputs = entry["outputs"]
    if outputs and outputs[0]["type"] == "tuple":
        names = [[part["name"] for part in output["components"]] for output in outputs]
        return names[0] + [name for more in names[1:] for name in ["then", *more]]
    return [output["type"] for output in outputs]


def test_the_functions_are_as_agreed():
    found = of_type("function")
    assert {s: (e["stateMutability"], answers(e)) for s, e in found.items()} == FUNCTIONS
    [terms] = [p for p in found[f"repeat(bytes32,{TERMS})"]["inputs"] if p["type"] == "tuple"]
    names = "currency price seats start end begin_grace rating_window"
    assert [part["name"] for part in terms["components"]] == names.split()


def test_the_events_are_as_agreed():
    shown = {
        s: (sum(p["indexed"] for p in e["inputs"]), " ".join(p["name"] for p in e["inputs"]))
        for s, e in of_type("event").items()
    }
    assert shown == EVENTS
    for entry in of_type("event").values():
        indexed = [p["indexed"] for p in entry["inputs"]]
        assert indexed == sorted(indexed, reverse=True)


def test_the_constructor_takes_platform_and_tokens():
    [constructor] = [e for e in artifact("Courses")["abi"] if e["type"] == "constructor"]
    assert [(p["name"], p["type"]) for p in constructor["inputs"]] == [
        ("platform", "address"), ("tokens", "address[]"),
    ]
