package import Keys

/// A note that comes with a move in a sale, such as the number of a parcel or the reason for a
/// dispute: a body of mail.
///
/// Source: Docs/protocol.md, section 18.
package struct MailNote: SaleMailBody {
    package static let field: UInt64 = 47
    package static let textByteCountMax = 2_048
    package static let wireSchema = WireSchema(
        behindSale: .bytes,
        .text,
        .repeated(.message(MailPicture.wireSchema))
    )

    package let sale: SaleReference
    /// The transaction of the move.
    package let transaction: Bytes32
    /// One or more lines.
    package let text: String
    /// At most ``MailPicture/countMax``, each once.
    package let pictures: [MailPicture]

    package init(
        for sale: SaleReference,
        transaction: Bytes32,
        text: String,
        pictures: [MailPicture] = []
    ) throws(RuleFault) {
        guard pictures.count <= MailPicture.countMax else {
            throw .tooMany(.media, countMax: MailPicture.countMax)
        }
        guard !pictures.map(\.blob).hasRepeats else { throw .repeated(.media) }
        (self.sale, self.transaction, self.pictures) = (sale, transaction, pictures)
        self.text = try Self.checked(text)
    }

    /// Returns the text if it can be a note.
    @discardableResult
    package static func checked(_ text: String) throws(RuleFault) -> String {
        try PlainText.seenLines(text, byteCountMax: textByteCountMax)
    }

    package init(for sale: SaleReference, _ wire: WireFields) throws(RuleFault) {
        guard let transaction = Bytes32(wire.bytes(4)) else { throw .malformed(.sale) }
        var pictures: [MailPicture] = []
        for picture in wire.messages(6) { pictures.append(try MailPicture(wire: picture)) }
        try self.init(
            for: sale,
            transaction: transaction,
            text: wire.text(5),
            pictures: pictures
        )
    }

    package func writeDetails(to wire: inout WireWriter) {
        wire.write(4, transaction.bytes)
        wire.write(5, text)
        wire.write(6, all: pictures.map(\.bytes))
    }
}
