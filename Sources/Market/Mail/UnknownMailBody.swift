/// A body of a kind that only a later version knows.
///
/// Source: Docs/protocol.md, section 10.15.
package struct UnknownMailBody: Hashable, Sendable {
    /// The numbers of later versions' bodies begin here; lower unknown ones are other additions.
    package static let fieldMin: UInt64 = 32
    /// The maximum bytes of a body's content, which can never change.
    package static let byteCountMax = 32_768
    /// The maximum bytes of the other additions, tags and lengths counted, which can never change.
    package static let additionsByteCountMax = 1_024

    /// The number of its field.
    package let field: UInt64
    package let content: [UInt8]

    package init(field: UInt64, content: [UInt8]) {
        (self.field, self.content) = (field, content)
    }

    /// Takes the body out of a statement's unknown fields; `nil` if they contain none.
    ///
    /// - Throws: ``MailFault/malformed`` if there are several, or more than every version takes.
    init?(in wire: WireFields) throws(MailFault) {
        var found: UnknownMailBody?
        var additionsByteCount = 0
        for field in wire.unknown {
            guard field.number >= Self.fieldMin else {
                additionsByteCount += field.byteCount
                continue
            }
            guard found == nil, let content = field.content, content.count <= Self.byteCountMax
            else { throw .malformed }
            found = UnknownMailBody(field: field.number, content: [UInt8](content))
        }
        guard additionsByteCount <= Self.additionsByteCountMax else { throw .malformed }
        guard let found else { return nil }
        self = found
    }
}
