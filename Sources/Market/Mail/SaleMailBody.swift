import Keys

/// A body of mail about one sale.
///
/// Its first three fields are the sale: 1 chain, 2 contract, 3 id.
///
/// Source: Docs/protocol.md, section 16.3.
package protocol SaleMailBody: Hashable, Sendable {
    /// The number of its field in a statement; it is read as ``MailReport`` is.
    static var field: UInt64 { get }
    static var wireSchema: WireSchema { get }

    var sale: SaleReference { get }

    /// Reads the fields behind the sale.
    ///
    /// - Throws: ``RuleFault`` if they break a rule.
    init(for sale: SaleReference, _ wire: WireFields) throws(RuleFault)

    /// Writes the fields behind the sale.
    func writeDetails(to wire: inout WireWriter)
}

extension SaleMailBody {
    /// Reads the content of a body.
    ///
    /// - Throws: ``MailFault/malformed`` if it is not canonical or breaks a rule.
    package init(content: [UInt8]) throws(MailFault) {
        guard let wire = WireFields(content, Self.wireSchema),
            let contract = Address(wire.bytes(2)),
            let id = Bytes32(wire.bytes(3))
        else { throw .malformed }
        let reference = ContractReference(chain: ChainID(wire.number(1)), address: contract)
        do {
            try self.init(for: SaleReference(contract: reference, id: SaleID(id)), wire)
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
        writeDetails(to: &wire)
        return UnknownMailBody(field: Self.field, content: wire.bytes)
    }
}

extension WireSchema {
    /// The fields of a body about a sale.
    init(behindSale first: Field, _ others: Field...) {
        (fields, oneOf) = ([.uint64, .bytes, .bytes, first] + others, nil)
    }
}

extension PlainText {
    /// Checks any number of lines that can be seen.
    static func seenLines(_ text: String, byteCountMax: Int) throws(RuleFault) -> String {
        guard isSeen(text) else { throw .missing(.text) }
        return try lines(text, .text, byteCountMax: byteCountMax)
    }
}
