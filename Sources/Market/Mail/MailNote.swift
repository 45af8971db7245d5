package import Keys

/// A note that comes with a move in a sale, such as the number of a parcel or the reason for a
/// dispute: a body of mail.
///
/// Source: Docs/protocol.md, section 18.
package struct MailNote: Hashable, Sendable {
    /// The number of its field in a statement; it is read as ``MailReport`` is.
    package static let field: UInt64 = 47
    package static let textByteCountMax = 2_048
    static let wireSchema = WireSchema(.uint64, .bytes, .bytes, .bytes, .text)

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
        guard PlainText.isSeen(text) else { throw .missing(.text) }
        return try PlainText.lines(text, .text, byteCountMax: textByteCountMax)
    }

    /// Reads the content of a body.
    ///
    /// - Throws: ``MailFault/malformed`` if it is not canonical or breaks a rule.
    init(content: [UInt8]) throws(MailFault) {
        guard let wire = WireFields(content, Self.wireSchema),
            let contract = Address(wire.bytes(2)), let id = Bytes32(wire.bytes(3)),
            let transaction = Bytes32(wire.bytes(4))
        else { throw .malformed }
        let reference = ContractReference(chain: ChainID(wire.number(1)), address: contract)
        do {
            try self.init(
                for: SaleReference(contract: reference, id: SaleID(id)),
                transaction: transaction,
                text: wire.text(5)
            )
        } catch {
            throw .malformed
        }
    }

    /// The body as it is in a statement.
    package var body: UnknownMailBody {
        var wire = WireWriter()
        wire.write(1, sale.contract.chain.number)
        wire.write(2, sale.contract.address.bytes)
        wire.write(3, sale.id.hash.bytes)
        wire.write(4, transaction.bytes)
        wire.write(5, text)
        return UnknownMailBody(field: Self.field, content: wire.bytes)
    }
}
