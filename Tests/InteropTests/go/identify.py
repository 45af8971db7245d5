"""Reads libp2p's Identify message from the bytes of its stream.

Source: libp2p specs, identify/README.md (protobuf, proto2) and unsigned-varint.
"""

TEXTS = {5: "protocolVersion", 6: "agentVersion"}
BLOBS = {1: "publicKey", 4: "observedAddress", 8: "signedPeerRecord"}


def varint(data, position):
    """The number at `position` and where it ends."""
    number = shift = 0
    while True:
        byte = data[position]
        position += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, position
        shift += 7
        if shift > 63:
            raise ValueError("varint longer than 9 bytes")


def parse(stream):
    """The fields of a length-prefixed Identify message; bytes as hex."""
    length, position = varint(stream, 0)
    message = stream[position:position + length]
    if len(message) != length:
        raise ValueError(f"identify announced {length} bytes and sent {len(message)}")
    found, position = {"protocols": [], "listenAddresses": []}, 0
    while position < len(message):
        tag, position = varint(message, position)
        if tag & 7 != 2:
            raise ValueError(f"identify has a field of wire type {tag & 7}")
        size, position = varint(message, position)
        value = message[position:position + size]
        if len(value) != size:
            raise ValueError("identify ends within a field")
        position += size
        put(found, tag >> 3, value)
    return found


def put(found, field, value):
    if field == 3:
        found["protocols"].append(value.decode())
    elif field == 2:
        found["listenAddresses"].append(value.hex())
    elif field in TEXTS:
        found[TEXTS[field]] = value.decode()
    elif field in BLOBS:
        found[BLOBS[field]] = value.hex()
