import GossipProtocol
import Keys
import Market

/// What liars do: everything that the rules forbid and the wire allows.
extension Simulation {
    /// Sends spoilt copies of what it hears to everybody, before the good ones can come.
    mutating func spoil(_ rpc: GossipRPC, at liar: Int) {
        for message in rpc.messages where SimRecord.isValid(message.data) {
            for other in nodes[liar].links.sorted() {
                var lie = GossipRPC()
                let data = SimRecord.spoilt(message.data, &random)
                lie.messages = [GossipMessage(topic: message.topic, data: data)]
                send(lie, from: liar, to: other)
            }
        }
    }

    /// Announces what it has not, grafts without end, floods with ids.
    mutating func lie(_ liar: Int) {
        for other in nodes[liar].links.sorted() {
            var rpc = GossipRPC()
            rpc.subscriptions = [.init(topic: SimNode.topic, isWanted: true)]
            switch roll(4) {
            case 0: rpc.meshChanges = [.graft(SimNode.topic)]
            case 1:
                let ids = (0..<60).map { _ in MessageID(bytes: madeUp()) }
                rpc.announcements = [.init(topic: SimNode.topic, ids: ids)]
            case 2: rpc.wanted = (0..<60).map { _ in MessageID(bytes: madeUp()) }
            default: rpc.meshChanges = [.prune(SimNode.topic, backoffSeconds: .max)]
            }
            send(rpc, from: liar, to: other)
        }
        for other in neighbours[liar].sorted() { tryLink(liar, other) }
        schedule(.lie, at: liar, in: 400 + roll(800))
    }

    /// Offers ids it cannot serve, serves what was not asked, or answers out of order.
    mutating func serveLies(_ session: Int) {
        let ids = (0..<5).compactMap { _ in Bytes32(madeUp()).map(RecordID.init) }
        let known = published.keys.sorted().prefix(4)
        switch roll(6) {
        case 0: reply(.page(ids.sorted(), isLast: false), in: session)
        case 1: reply(.page(ids.sorted().reversed(), isLast: false), in: session)
        case 2: reply(.page(Array(known), isLast: false), in: session)
        case 3: reply(.batch([], covered: 4), in: session)
        case 4:
            let records = known.compactMap { published[$0] }
                .map { SimRecord.spoilt($0, &random) }
            reply(.batch(records, covered: max(records.count, 1)), in: session)
        default: reply(.page([], isLast: true), in: session)
        }
    }

    private mutating func madeUp() -> [UInt8] {
        (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
