package import Keys

/// A picture of a note: where its encrypted file is, and the key.
///
/// The decrypted file shows the type of the picture; nothing said about it would be reliable.
///
/// Source: Docs/protocol.md, section 18.8.
package struct MailPicture: Hashable, Sendable {
    /// The maximum number of pictures of a note.
    package static let countMax = 6
    static let wireSchema = WireSchema(.bytes, .uint64, .bytes)

    /// The encrypted file, as peers exchange it.
    package let blob: Bytes32
    /// The length of the encrypted file.
    package let byteCount: UInt64
    /// The key of AES-256-GCM.
    package let key: Bytes32

    package init(blob: Bytes32, byteCount: UInt64, key: Bytes32) throws(RuleFault) {
        guard byteCount > MailWork.overhead else { throw .malformed(.media) }
        guard byteCount <= Media.byteCountMax else {
            throw .tooLong(.media, byteCountMax: Int(Media.byteCountMax))
        }
        (self.blob, self.byteCount, self.key) = (blob, byteCount, key)
    }

    init(wire: WireFields) throws(RuleFault) {
        guard let blob = Bytes32(wire.bytes(1)), let key = Bytes32(wire.bytes(3)) else {
            throw .malformed(.media)
        }
        try self.init(blob: blob, byteCount: wire.number(2), key: key)
    }

    /// Reads its own bytes; `nil` for others.
    package init?(_ bytes: [UInt8]) {
        guard let wire = WireFields(bytes, Self.wireSchema), let read = try? Self(wire: wire) else {
            return nil
        }
        self = read
    }

    /// Its canonical form.
    package var bytes: [UInt8] {
        var wire = WireWriter()
        wire.write(1, blob.bytes)
        wire.write(2, byteCount)
        wire.write(3, key.bytes)
        return wire.bytes
    }

    /// The encrypted file.
    package var media: Media { Media(id: blob, byteCount: byteCount, form: .sealed) }
}
