package import Keys

/// The key of a digital work, which its seller gives to the buyer: a body of mail.
///
/// Source: Docs/protocol.md, section 17.
package struct MailWork: SaleMailBody {
    package static let field: UInt64 = 46
    package static let nameByteCountMax = 160
    package static let wireSchema = WireSchema(behindSale: .bytes, .bytes, .uint64, .bytes, .text)
    /// The bytes that encryption adds: a nonce in front and a tag behind.
    package static let overhead: UInt64 = 28

    package let sale: SaleReference
    /// The SHA-256 of the file, which the listing's identifier is.
    package let file: Bytes32
    /// The encrypted file, as peers exchange it.
    package let blob: Bytes32
    /// The length of the encrypted file.
    package let byteCount: UInt64
    /// The key of AES-256-GCM.
    package let key: Bytes32
    /// The seller's name for the file.
    package let name: String

    package init(
        for sale: SaleReference,
        file: Bytes32,
        blob: Bytes32,
        byteCount: UInt64,
        key: Bytes32,
        name: String
    ) throws(RuleFault) {
        guard byteCount > Self.overhead else { throw .malformed(.media) }
        guard byteCount <= Media.byteCountMax else {
            throw .tooLong(.media, byteCountMax: Int(Media.byteCountMax))
        }
        (self.sale, self.file, self.blob) = (sale, file, blob)
        (self.byteCount, self.key) = (byteCount, key)
        self.name = try Self.checked(name: name)
    }

    /// Returns a name if a file can have it: one line without a slash.
    @discardableResult
    package static func checked(name: String) throws(RuleFault) -> String {
        guard !name.contains("/"), name != ".", name != "..", PlainText.isSeen(name) else {
            throw .malformed(.name)
        }
        return try PlainText.line(name, .name, byteCountMax: nameByteCountMax)
    }

    package init(for sale: SaleReference, _ wire: WireFields) throws(RuleFault) {
        guard let file = Bytes32(wire.bytes(4)), let blob = Bytes32(wire.bytes(5)),
            let key = Bytes32(wire.bytes(7))
        else { throw .malformed(.media) }
        try self.init(
            for: sale,
            file: file,
            blob: blob,
            byteCount: wire.number(6),
            key: key,
            name: wire.text(8)
        )
    }

    package func writeDetails(to wire: inout WireWriter) {
        wire.write(4, file.bytes)
        wire.write(5, blob.bytes)
        wire.write(6, byteCount)
        wire.write(7, key.bytes)
        wire.write(8, name)
    }
}
