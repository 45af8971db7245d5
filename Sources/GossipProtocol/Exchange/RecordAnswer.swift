import Keys
package import Market

/// An answer of the serving side of an exchange.
///
/// Source: Docs/protocol.md, section 9.3.
package enum RecordAnswer: Hashable, Sendable {
    /// The next ids, rising; `isLast` if none follow.
    case page([RecordID], isLast: Bool)
    /// Records in the order they were wanted, and how many of the wanted ids the answer covers.
    ///
    /// Covered ids without a record in it cannot be served.
    case batch([[UInt8]], covered: Int)

    /// Reads a message; `nil` if it is malformed or exceeds a limit.
    package init?(decoding bytes: [UInt8], limits: ExchangeLimits) {
        guard let fields = ProtobufFields(bytes, fieldsMax: limits.wantIDsMax + 4),
            !fields.hasRepeats(besides: 3)
        else { return nil }
        if let covered = fields.number(4) {
            let records = fields.repeated(3)
            guard covered > 0, covered <= UInt64(limits.wantIDsMax),
                records.count <= Int(covered),
                records.allSatisfy({ !$0.isEmpty && $0.count <= limits.recordBytesMax }),
                fields.bytes(1) == nil
            else { return nil }
            self = .batch(records, covered: Int(covered))
        } else {
            guard let ids = RecordID.list(fields.bytes(1) ?? []), ids.count <= limits.pageIDsMax,
                fields.repeated(3).isEmpty
            else { return nil }
            self = .page(ids, isLast: fields.number(2) == 1)
        }
    }

    /// The number of wanted ids that are not stored.
    package var unheld: Int {
        switch self {
        case .page: 0
        case .batch(let records, let covered): covered - records.count
        }
    }

    package func encoded() -> [UInt8] {
        var message = WireWriter()
        switch self {
        case .page(let ids, let isLast):
            message.member(1, ids.flatMap(\.digest.bytes))
            message.member(2, isLast ? 1 : 0)
        case .batch(let records, let covered):
            message.write(3, all: records)
            message.member(4, UInt64(covered))
        }
        return message.bytes
    }
}
