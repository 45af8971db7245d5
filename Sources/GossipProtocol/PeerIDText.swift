package import Market

/// The text form of a peer id: `16Uiu2HA…`, `12D3Koo…`, `Qm…`, or a CID.
///
/// It writes base58btc of the multihash, and also reads a CIDv1 in base32 or base58btc.
///
/// Source: libp2p specs, "Peer Ids and Keys", section "String representation".
package enum PeerIDText {
    private static let libp2pKeyCodec: UInt64 = 0x72

    package static func text(of peer: PeerID) -> String { Base58.encode(peer.multihash) }

    /// Reads any of these forms; `nil` for anything else.
    package static func peer(from text: some StringProtocol) -> PeerID? {
        if text.hasPrefix("1") || text.hasPrefix("Qm") {
            return Base58.decode(text).flatMap(peer(multihash:))
        }
        let body = text.dropFirst()
        let bytes: [UInt8]? =
            switch text.first {
            case "b": base32(body)
            case "z": Base58.decode(body)
            default: nil
            }
        guard var rest = bytes?[...], Varint.take(from: &rest) == 1,
            Varint.take(from: &rest) == libp2pKeyCodec
        else { return nil }
        return peer(multihash: Array(rest))
    }

    /// Accepts a multihash of the kinds that name peers: identity up to 42 bytes, or SHA-256.
    package static func peer(multihash bytes: [UInt8]) -> PeerID? {
        var rest = bytes[...]
        guard let code = Varint.take(from: &rest), let length = Varint.take(from: &rest),
            length == UInt64(rest.count)
        else { return nil }
        let isKnown = code == 0x12 && length == 32 || code == 0 && (1...42).contains(length)
        return isKnown ? PeerID(multihash: bytes) : nil
    }

    private static func base32(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= 128 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = character - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = (bits << 5 | UInt32(value)) & 0xFFF
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        let leftover = bits & (1 << UInt32(bitCount) - 1)
        return leftover == 0 && bitCount < 5 ? bytes : nil
    }
}

extension PeerID {
    /// Base58btc of the multihash, as used in addresses.
    package var text: String { PeerIDText.text(of: self) }
}
