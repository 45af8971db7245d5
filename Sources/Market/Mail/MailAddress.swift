package import Keys

/// Where a buyer wants the item of a sale sent: a body of mail for the seller alone.
///
/// Source: Docs/protocol.md, section 16.
package struct MailAddress: SaleMailBody {
    package static let field: UInt64 = 44
    package static let textByteCountMax = 512
    package static let wireSchema = WireSchema(behindSale: .text)

    package let sale: SaleReference
    /// Name, street, city, country, on several lines.
    package let text: String

    package init(for sale: SaleReference, text: String) throws(RuleFault) {
        self.sale = sale
        self.text = try Self.checked(text)
    }

    /// Returns the text if it can be an address.
    @discardableResult
    package static func checked(_ text: String) throws(RuleFault) -> String {
        try PlainText.seenLines(text, byteCountMax: textByteCountMax)
    }

    package init(for sale: SaleReference, _ wire: WireFields) throws(RuleFault) {
        try self.init(for: sale, text: wire.text(4))
    }

    package func writeDetails(to wire: inout WireWriter) { wire.write(4, text) }
}

/// A seller's word to one buyer that a listing's limits of shipping do not count for that buyer.
///
/// Source: Docs/protocol.md, section 16.
package struct MailException: Hashable, Sendable {
    /// The number of its field in a statement; it is read as ``MailReport`` is.
    package static let field: UInt64 = 45
    static let wireSchema = WireSchema(.bytes)

    /// The slot of the listing, which is the sender's.
    package let listing: Bytes32

    package init(listing: Bytes32) { self.listing = listing }

    /// Reads the content of a body.
    ///
    /// - Throws: ``MailFault/malformed`` if it is not canonical.
    init(content: [UInt8]) throws(MailFault) {
        guard let wire = WireFields(content, Self.wireSchema), let listing = Bytes32(wire.bytes(1))
        else { throw .malformed }
        self.init(listing: listing)
    }

    /// The body as it is in a statement.
    package var body: UnknownMailBody {
        var wire = WireWriter()
        wire.write(1, listing.bytes)
        return UnknownMailBody(field: Self.field, content: wire.bytes)
    }
}
