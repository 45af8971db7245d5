import GossipProtocol
import Market

/// Something that happens at a node at a moment; `epoch` is the node's life it belongs to.
struct SimEvent: Comparable {
    enum Kind {
        case heartbeat
        case frame(GossipRPC, from: Int)
        /// The disk has what a message carried.
        case synced(MessageID, [UInt8])
        case rejected(MessageID)
        case publish([UInt8])
        case question(session: Int, [UInt8])
        case answer(session: Int, [UInt8])
        /// The disk has what an exchange brought.
        case fetched(session: Int, [RecordExchange.Served])
        case exchange
        case crash
        case start
        case link(Int)
        case unlink(Int)
        case lie
    }

    /// In milliseconds since the start.
    let time: Int
    /// Decides between events of one moment.
    let number: Int
    let node: Int
    let epoch: Int
    let kind: Kind

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    static func < (left: Self, right: Self) -> Bool {
        (left.time, left.number) < (right.time, right.number)
    }
}
