import Foundation
package import Market
import SwiftProtobuf

extension GossipRPC {
    /// Reads a frame; `nil` for one that is malformed or breaks a bound.
    ///
    /// Bounds: ``GossipLimits``. Fields of later versions are passed over, as the specification
    /// asks.
    package init?(decoding bytes: [UInt8], limits: GossipLimits) {
        guard let frame = try? GossipFrame(serializedBytes: bytes) else { return nil }
        guard frame.subscriptions.count <= limits.subscriptionsPerFrameMax,
            frame.publish.count <= limits.messagesPerFrameMax
        else { return nil }
        let control = frame.control
        let idCount =
            control.want.reduce(0) { $0 + $1.ids.count }
            + control.have.reduce(0) { $0 + $1.ids.count }
        let entryCount =
            control.have.count + control.want.count + control.graft.count + control.prune.count
        guard idCount <= limits.idsPerFrameMax, entryCount <= limits.controlEntriesMax else {
            return nil
        }
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
        let topics = subscriptions.map(\.topic) + announcements.map(\.topic)
        guard ids.allSatisfy({ $0.bytes.count <= limits.idBytesMax }),
            topics.allSatisfy({ $0.name.utf8.count <= limits.topicBytesMax })
        else { return nil }
    }

    /// The frames that say all of it, none longer than the limits allow.
    ///
    /// All but the messages comes first; it is short by the limits on what a router says at once.
    package func frames(limits: GossipLimits) -> [[UInt8]] {
        var rest = messages[...]
        var part = self
        part.messages = []
        var frames = part.isEmpty ? [] : [part.encoded()]
        while !rest.isEmpty {
            part = GossipRPC()
            var byteCount = 0
            while let message = rest.first, part.messages.count < limits.messagesPerFrameMax {
                byteCount += message.data.count + message.topic.name.utf8.count
                byteCount += Self.overheadBytesMax
                guard part.messages.isEmpty || byteCount <= limits.frameBytesMax / 2 else { break }
                part.messages.append(message)
                rest = rest.dropFirst()
            }
            frames.append(part.encoded())
        }
        return frames
    }

    /// What a message has beside data and topic: lengths, and the seal with its key.
    private static let overheadBytesMax = 512

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
    /// `nil` where it is signed in part.
    fileprivate init?(_ wire: GossipFrame.Message) {
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

    /// What the signature of a sealed message covers: fields 1 to 4, behind the domain's name.
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
