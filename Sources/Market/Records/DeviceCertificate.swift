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

    init(wire: WireDevice) throws(RuleFault) {
        guard wire.key.count == 33, let key = PublicKey([UInt8](wire.key)) else {
            throw .malformed(.key)
        }
        try self.init(key: key, name: wire.name)
    }

    /// The slot of the device's record, which also names the device in mail.
    package var slot: Bytes32 { Self.slot(of: key) }

    package static func slot(of key: PublicKey) -> Bytes32 { Keccak256.hash(key.compressed) }

    var keyText: String { "0x" + Hex.encode(key.compressed) }

    var wire: WireDevice {
        var wire = WireDevice()
        wire.key = key.compressed.data
        wire.name = name
        return wire
    }
}
