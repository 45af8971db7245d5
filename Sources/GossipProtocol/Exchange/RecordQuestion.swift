import Keys
package import Market

/// A question of the asking side of an exchange.
///
/// Source: Docs/protocol.md, section 9.2.
package enum RecordQuestion: Hashable, Sendable {
    /// The protocol's maximum of ids in a want list; a node may ask for fewer.
    package static let wantedMax = 256
    static let idBytes = 32

    /// Which records of the topic do you have, starting with the first id after this one?
    case page(Topic, after: RecordID?, idsMax: Int)
    /// Send these records, whose ids rise, up to `bytesMax` bytes.
    case want(Topic, [RecordID], bytesMax: Int)

    /// Reads a message; `nil` if it is malformed or exceeds a limit.
    package init?(decoding bytes: [UInt8], limits: ExchangeLimits) {
        guard let fields = ProtobufFields(bytes, fieldsMax: 4), !fields.hasRepeats(),
            let name = fields.text(1), name.utf8.count <= limits.topicBytesMax
        else { return nil }
        let topic = Topic(name)
        if let ids = fields.bytes(4) {
            guard let ids = RecordID.list(ids), !ids.isEmpty, ids.count <= Self.wantedMax,
                ids.isStrictlyRising, let bytesMax = fields.number(3)
            else { return nil }
            self = .want(topic, ids, bytesMax: Int(clamping: bytesMax))
        } else {
            guard let idsMax = fields.number(3), idsMax > 0 else { return nil }
            var after: RecordID?
            if let bytes = fields.bytes(2) {
                guard let id = Bytes32(bytes) else { return nil }
                after = RecordID(id)
            }
            self = .page(topic, after: after, idsMax: Int(clamping: idsMax))
        }
    }

    package var topic: Topic {
        switch self {
        case .page(let topic, _, _), .want(let topic, _, _): topic
        }
    }

    package func encoded() -> [UInt8] {
        var message = WireWriter()
        message.member(1, topic.bytes)
        switch self {
        case .page(_, let after, let idsMax):
            if let after { message.member(2, after.digest.bytes) }
            message.member(3, UInt64(idsMax))
        case .want(_, let ids, let bytesMax):
            message.member(3, UInt64(bytesMax))
            message.member(4, ids.flatMap(\.digest.bytes))
        }
        return message.bytes
    }
}

extension RecordID {
    /// Reads concatenated ids.
    static func list(_ bytes: [UInt8]) -> [RecordID]? {
        guard bytes.count.isMultiple(of: 32) else { return nil }
        return stride(from: 0, to: bytes.count, by: 32).compactMap {
            Bytes32(bytes[$0..<$0 + 32]).map(RecordID.init)
        }
    }
}

extension Collection where Element: Comparable {
    /// Whether each element is greater than the previous one.
    var isStrictlyRising: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
