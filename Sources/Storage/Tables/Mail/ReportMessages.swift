package import Keys
package import Market

/// Which of an account's messages are reports, so that they can be listed without opening others.
package enum ReportMessages: Table {
    package typealias Key = ReportKey
    package typealias Value = EmptyValue
    package static let name = "report-messages"
}

/// Account and side, then when the report was filed here, and which message it is.
package struct ReportKey: TableKey, Hashable {
    package typealias Prefix = CompositeKey<Address, UInt8>

    /// Whether the account wrote it.
    package let isOwn: Bool
    package let filedAt: Timestamp
    package let message: MessageKey

    package init(isOwn: Bool, filedAt: Timestamp, message: MessageKey) {
        (self.isOwn, self.filedAt, self.message) = (isOwn, filedAt, message)
    }

    /// The key prefix of the reports that an account wrote, or that it received.
    package static func prefix(_ account: Address, isOwn: Bool) -> Prefix {
        CompositeKey(account, isOwn ? 1 : 0)
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(message.account, isOwn ? 1 : 0 as UInt8, filedAt, message.conversation)
        writer.write(message.place)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        let (account, side): (Address, UInt8) = try (reader.read(), reader.read())
        guard side <= 1 else { throw FormError() }
        isOwn = side == 1
        filedAt = try reader.read()
        message = MessageKey(
            account: account,
            conversation: try reader.read(),
            place: try reader.read()
        )
    }
}

extension WriteTransaction {
    /// Removes the messages of a conversation from the list of reports.
    mutating func removeReports(in conversation: Bytes32, of account: Address) throws {
        for key in try keys(ReportMessages.self, .prefix(account))
        where key.message.conversation == conversation {
            try remove(ReportMessages.self, key)
        }
    }
}
