package import Keys

/// A note that comes with a move in a sale, such as the number of a parcel or the reason for a
/// dispute: a body of mail.
///
/// Source: Docs/protocol.md, section 18.
package struct MailNote: SaleMailBody {
    package static let field: UInt64 = 47
    package static let textByteCountMax = 2_048
    package static let wireSchema = WireSchema(behindSale: .bytes, .text)

    package let sale: SaleReference
    /// The transaction of the move.
    package let transaction: Bytes32
    /// One or more lines.
    package let text: String

    package init(
        for sale: SaleReference,
        transaction: Bytes32,
        text: String
    ) throws(RuleFault) {
        (self.sale, self.transaction) = (sale, transaction)
        self.text = try Self.checked(text)
    }

    /// Returns the text if it can be a note.
    @discardableResult
    package static func checked(_ text: String) throws(RuleFault) -> String {
        try PlainText.seenLines(text, byteCountMax: textByteCountMax)
    }

    package init(for sale: SaleReference, _ wire: WireFields) throws(RuleFault) {
        guard let transaction = Bytes32(wire.bytes(4)) else { throw .malformed(.sale) }
        try self.init(for: sale, transaction: transaction, text: wire.text(5))
    }

    package func writeDetails(to wire: inout WireWriter) {
        wire.write(4, transaction.bytes)
        wire.write(5, text)
    }
}
