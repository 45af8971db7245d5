package import Keys

/// An account's certificate that a device signs mail for it; withdrawing it revokes the device.
package struct DeviceCertificate: Hashable, Sendable {
    package static let nameByteCountMax = 64

    /// The device's signing key.
    package let key: PublicKey
    /// The owner's name for the device.
    package let name: String

    package init(key: PublicKey, name: String) throws(RuleFault) {
        self.key = key
        self.name = try PlainText.name(name, .name, byteCountMax: Self.nameByteCountMax)
    }

    static let wireSchema = WireSchema(.bytes, .text)

    init(wire: WireFields) throws(RuleFault) {
        guard let key = PublicKey(wire: wire.bytes(1)) else { throw .malformed(.key) }
        try self.init(key: key, name: wire.text(2))
    }

    /// The slot of the device's record, which also names the device in mail.
    package var slot: Bytes32 { Self.slot(of: key) }

    package static func slot(of key: PublicKey) -> Bytes32 { Keccak256.hash(key.compressed) }

    var keyText: String { "0x" + Hex.encode(key.compressed) }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, key.compressed)
        wire.write(2, name)
        return wire.bytes
    }
}
