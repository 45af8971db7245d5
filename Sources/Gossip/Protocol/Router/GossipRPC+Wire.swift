import Foundation
package import Market
import SwiftProtobuf

extension GossipRPC {
    /// Reads a frame; `nil` if it is malformed or exceeds a limit.
    ///
    /// Limits: ``GossipLimits``. Fields of later versions are skipped, as the specification asks.
    package init?(decoding bytes: [UInt8], limits: GossipLimits) {
        guard Self.isBounded(bytes, by: limits),
            let frame = try? GossipFrame(serializedBytes: bytes)
        else { return nil }
        let control = frame.control
        self.init()
        subscriptions = frame.subscriptions.map {
            Subscription(topic: Topic($0.topic), isWanted: $0.subscribe)
        }
        for message in frame.publish {
            guard let message = GossipMessage(message) else { return nil }
            messages.append(message)
        }
        announcements = control.have.map { have in
            Announcement(
                topic: Topic(have.topic),
                ids: have.ids.map { MessageID(bytes: [UInt8]($0)) }
            )
        }
        wanted = control.want.flatMap { $0.ids.map { MessageID(bytes: [UInt8]($0)) } }
        meshChanges =
            control.graft.map { .graft(Topic($0.topic)) }
            + control.prune.map { .prune(Topic($0.topic), backoffSeconds: $0.backoff) }
        let ids = announcements.flatMap(\.ids) + wanted
        let topics =
            subscriptions.map(\.topic) + announcements.map(\.topic) + meshChanges.map(\.topic)
            + messages.map(\.topic)
        guard ids.allSatisfy({ $0.bytes.count <= limits.idBytesMax }),
            topics.allSatisfy({ $0.bytes.count <= limits.topicBytesMax })
        else { return nil }
    }

    /// Counts a frame's entries before decoding them.
    ///
    /// A short entry takes two bytes on the wire and about a hundred in memory.
    private static func isBounded(_ bytes: [UInt8], by limits: GossipLimits) -> Bool {
        let fieldsMax = limits.subscriptionsPerFrameMax + limits.messagesPerFrameMax + 16
        guard let frame = ProtobufFields(bytes, fieldsMax: fieldsMax),
            frame.parts(1).count <= limits.subscriptionsPerFrameMax,
            frame.parts(2).count <= limits.messagesPerFrameMax,
            // A frame could hold tens of thousands of empty messages.
            frame.parts(2).allSatisfy({ !$0.isEmpty })
        else { return false }
        var (entriesLeft, idsLeft) = (limits.controlEntriesMax, limits.idsPerFrameMax)
        for control in frame.parts(3) {
            guard let entries = ProtobufFields(control, fieldsMax: entriesLeft) else {
                return false
            }
            entriesLeft -= entries.fields.count
            // IHAVE, IWANT, GRAFT and PRUNE; entries of later versions are skipped.
            for entry in entries.fields where (1...4).contains(entry.number) {
                guard case .bytes(let bytes) = entry.value,
                    let fields = ProtobufFields(bytes, fieldsMax: idsLeft + 8)
                else { return false }
                idsLeft -= fields.parts(entry.number == 2 ? 1 : 2).count
                guard idsLeft >= 0 else { return false }
            }
        }
        return true
    }

    /// Encodes the content in frames, none longer than this node sends.
    ///
    /// Subscriptions and mesh changes come first, then ids, then messages.
    package func frames(limits: GossipLimits) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var part = GossipRPC()
        var size = 0
        func makeRoom(for byteCount: Int) {
            let isFull = part.messages.count == limits.messagesPerFrameMax
            if isFull || (size + byteCount > limits.sentFrameBytesMax && !part.isEmpty) {
                frames.append(part.encoded())
                (part, size) = (GossipRPC(), 0)
            }
            size += byteCount
        }
        func byteCount(of topic: Topic, _ ids: some Collection<MessageID> = []) -> Int {
            ids.reduce(topic.bytes.count + Self.entryBytesMax) {
                $0 + $1.bytes.count + Self.idOverheadBytesMax
            }
        }
        for subscription in subscriptions {
            makeRoom(for: byteCount(of: subscription.topic))
            part.subscriptions.append(subscription)
        }
        for change in meshChanges {
            makeRoom(for: byteCount(of: change.topic))
            part.meshChanges.append(change)
        }
        for announcement in announcements {
            for ids in Self.chunks(of: announcement.ids) {
                makeRoom(for: byteCount(of: announcement.topic, ids))
                part.announcements.append(.init(topic: announcement.topic, ids: Array(ids)))
            }
        }
        for ids in Self.chunks(of: wanted) {
            makeRoom(for: byteCount(of: Topic(""), ids))
            part.wanted += ids
        }
        for message in messages {
            makeRoom(for: byteCount(of: message.topic) + message.data.count + Self.sealBytesMax)
            part.messages.append(message)
        }
        return part.isEmpty ? frames : frames + [part.encoded()]
    }

    /// An upper bound for the bytes of a frame with this content.
    package var byteCountMax: Int {
        func size(_ topic: Topic) -> Int { topic.bytes.count + Self.entryBytesMax }
        func size(_ ids: [MessageID]) -> Int {
            ids.reduce(0) { $0 + $1.bytes.count + Self.idOverheadBytesMax }
        }
        let changes = subscriptions.map(\.topic) + meshChanges.map(\.topic)
        return changes.reduce(0) { $0 + size($1) }
            + announcements.reduce(0) { $0 + size($1.topic) + size($1.ids) }
            + Self.entryBytesMax + size(wanted)
            + messages.reduce(0) { $0 + size($1.topic) + $1.data.count + Self.sealBytesMax }
    }

    /// Upper bounds for the bytes of an entry beside its topic and ids, and of an id beside its
    /// bytes; and for those of a message's signature with its key.
    private static let entryBytesMax = 32
    private static let idOverheadBytesMax = 4
    private static let sealBytesMax = 512

    private static func chunks(of ids: [MessageID]) -> [ArraySlice<MessageID>] {
        stride(from: 0, to: ids.count, by: 500).map { ids[$0..<min($0 + 500, ids.count)] }
    }

    package func encoded() -> [UInt8] {
        var frame = GossipFrame()
        frame.subscriptions = subscriptions.map { subscription in
            .with {
                $0.topic = subscription.topic.name
                $0.subscribe = subscription.isWanted
            }
        }
        frame.publish = messages.map(\.wire)
        var control = GossipFrame.Control()
        control.have = announcements.map { announcement in
            .with {
                $0.topic = announcement.topic.name
                $0.ids = announcement.ids.map { Data($0.bytes) }
            }
        }
        if !wanted.isEmpty { control.want = [.with { $0.ids = wanted.map { Data($0.bytes) } }] }
        for change in meshChanges {
            switch change {
            case .graft(let topic):
                control.graft.append(.with { $0.topic = topic.name })
            case .prune(let topic, let seconds):
                control.prune.append(
                    .with {
                        $0.topic = topic.name
                        $0.backoff = seconds
                    }
                )
            }
        }
        if control != GossipFrame.Control() { frame.control = control }
        do { return try frame.serializedBytes() } catch {
            preconditionFailure("a frame without required fields always encodes: \(error)")
        }
    }
}

extension GossipMessage {
    /// `nil` if only some of the signature's fields are present, or if topic or data is empty.
    fileprivate init?(_ wire: GossipFrame.Message) {
        guard !wire.topic.isEmpty, !wire.data.isEmpty else { return nil }
        let sealFields = [wire.hasFrom, wire.hasSeqno, wire.hasSignature]
        guard sealFields.allSatisfy({ $0 == wire.hasFrom }), wire.hasFrom || !wire.hasKey else {
            return nil
        }
        var seal: Seal?
        if wire.hasFrom {
            seal = Seal(
                from: PeerID(multihash: [UInt8](wire.from)),
                sequence: [UInt8](wire.seqno),
                signature: [UInt8](wire.signature),
                key: wire.hasKey ? [UInt8](wire.key) : nil
            )
        }
        self.init(topic: Topic(wire.topic), data: [UInt8](wire.data), seal: seal)
    }

    fileprivate var wire: GossipFrame.Message {
        .with {
            $0.topic = topic.name
            $0.data = Data(data)
            guard let seal else { return }
            $0.from = Data(seal.from.multihash)
            $0.seqno = Data(seal.sequence)
            $0.signature = Data(seal.signature)
            if let key = seal.key { $0.key = Data(key) }
        }
    }

    /// Returns the bytes that a message's signature covers: fields 1 to 4, after the domain's name.
    ///
    /// Source: libp2p specs, pubsub/README.md, "Message Signing".
    package static func signedBytes(
        from: PeerID,
        data: [UInt8],
        sequence: [UInt8],
        topic: Topic
    ) -> [UInt8] {
        let message = GossipFrame.Message.with {
            $0.from = Data(from.multihash)
            $0.data = Data(data)
            $0.seqno = Data(sequence)
            $0.topic = topic.name
        }
        do { return [UInt8]("libp2p-pubsub:".utf8) + (try message.serializedBytes()) } catch {
            preconditionFailure("a message without required fields always encodes: \(error)")
        }
    }
}
