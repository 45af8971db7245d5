package import Market

extension GossipRPC {
    /// Reads a frame; `nil` if it is malformed or exceeds a limit.
    ///
    /// Limits: ``GossipLimits``. Fields of later versions are skipped, as the specification asks.
    package init?(decoding bytes: [UInt8], limits: GossipLimits) {
        let fieldsMax = limits.subscriptionsPerFrameMax + limits.messagesPerFrameMax + 16
        guard let frame = ProtobufFields(bytes, fieldsMax: fieldsMax),
            frame.parts(1).count <= limits.subscriptionsPerFrameMax,
            frame.parts(2).count <= limits.messagesPerFrameMax
        else { return nil }
        self.init()
        for part in frame.parts(1) {
            guard let fields = ProtobufFields(part), let topic = fields.topic(2) else { return nil }
            subscriptions.append(Subscription(topic: topic, isWanted: (fields.number(1) ?? 0) != 0))
        }
        // A frame could hold tens of thousands of empty messages, which are none.
        for part in frame.parts(2) {
            guard let message = GossipMessage(part) else { return nil }
            messages.append(message)
        }
        guard read(control: frame.parts(3), limits) else { return nil }
        let ids = announcements.flatMap(\.ids) + wanted
        let topics =
            subscriptions.map(\.topic) + announcements.map(\.topic) + meshChanges.map(\.topic)
            + messages.map(\.topic)
        guard ids.allSatisfy({ $0.bytes.count <= limits.idBytesMax }),
            topics.allSatisfy({ $0.bytes.count <= limits.topicBytesMax })
        else { return nil }
    }

    /// Reads the control messages of a frame; whether they are well-formed and within the limits.
    ///
    /// A short entry takes two bytes on the wire and about a hundred in memory.
    private mutating func read(
        control messages: [ArraySlice<UInt8>],
        _ limits: GossipLimits
    ) -> Bool {
        var (entriesLeft, idsLeft) = (limits.controlEntriesMax, limits.idsPerFrameMax)
        var prunes: [MeshChange] = []
        for message in messages {
            guard let entries = ProtobufFields(message, fieldsMax: entriesLeft) else {
                return false
            }
            entriesLeft -= entries.fields.count
            // IHAVE, IWANT, GRAFT and PRUNE; entries of later versions are skipped.
            for entry in entries.fields where (1...4).contains(entry.number) {
                guard case .bytes(let bytes) = entry.value,
                    let fields = ProtobufFields(bytes, fieldsMax: idsLeft + 8),
                    let topic = entry.number == 2 ? Topic("") : fields.topic(1)
                else { return false }
                let parts = fields.parts(entry.number == 2 ? 1 : 2)
                idsLeft -= parts.count
                guard idsLeft >= 0 else { return false }
                switch entry.number {
                case 1:
                    announcements.append(
                        Announcement(topic: topic, ids: parts.map { MessageID(bytes: [UInt8]($0)) })
                    )
                case 2: wanted += parts.map { MessageID(bytes: [UInt8]($0)) }
                case 3: meshChanges.append(.graft(topic))
                default: prunes.append(.prune(topic, backoffSeconds: fields.number(3) ?? 0))
                }
            }
        }
        meshChanges += prunes
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
        var frame = WireWriter()
        for subscription in subscriptions {
            var part = WireWriter()
            part.member(1, subscription.isWanted ? 1 : 0)
            part.member(2, subscription.topic.bytes)
            frame.member(1, part.bytes)
        }
        frame.write(2, all: messages.map(\.wire))
        frame.write(3, control)
        return frame.bytes
    }

    /// The control message; empty if there is nothing to say.
    private var control: [UInt8] {
        var control = WireWriter()
        for announcement in announcements {
            var have = WireWriter()
            have.member(1, announcement.topic.bytes)
            have.write(2, all: announcement.ids.map(\.bytes))
            control.member(1, have.bytes)
        }
        if !wanted.isEmpty {
            var want = WireWriter()
            want.write(1, all: wanted.map(\.bytes))
            control.member(2, want.bytes)
        }
        for case .graft(let topic) in meshChanges {
            var graft = WireWriter()
            graft.member(1, topic.bytes)
            control.member(3, graft.bytes)
        }
        for case .prune(let topic, let seconds) in meshChanges {
            var prune = WireWriter()
            prune.member(1, topic.bytes)
            prune.member(3, seconds)
            control.member(4, prune.bytes)
        }
        return control.bytes
    }
}

extension ProtobufFields {
    /// Returns a topic, empty if the field is absent; `nil` if it is not UTF-8.
    fileprivate func topic(_ number: UInt64) -> Topic? {
        bytes(number) == nil ? Topic("") : text(number).map { Topic($0) }
    }
}

extension GossipMessage {
    private enum Field {
        static let from: UInt64 = 1
        static let data: UInt64 = 2
        static let sequence: UInt64 = 3
        static let topic: UInt64 = 4
        static let signature: UInt64 = 5
        static let key: UInt64 = 6
    }

    /// `nil` if only some of the signature's fields are present, or if topic or data is empty.
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        guard let fields = ProtobufFields(bytes), let topic = fields.topic(Field.topic),
            !topic.bytes.isEmpty, let data = fields.bytes(Field.data), !data.isEmpty
        else { return nil }
        let key = fields.bytes(Field.key)
        switch (
            fields.bytes(Field.from), fields.bytes(Field.sequence), fields.bytes(Field.signature)
        ) {
        case (let from?, let sequence?, let signature?):
            let seal = Seal(
                from: PeerID(multihash: from),
                sequence: sequence,
                signature: signature,
                key: key
            )
            self.init(topic: topic, data: data, seal: seal)
        case (nil, nil, nil):
            guard key == nil else { return nil }
            self.init(topic: topic, data: data, seal: nil)
        default: return nil
        }
    }

    fileprivate var wire: [UInt8] {
        var wire = WireWriter()
        if let seal { wire.member(Field.from, seal.from.multihash) }
        wire.member(Field.data, data)
        if let seal { wire.member(Field.sequence, seal.sequence) }
        wire.member(Field.topic, topic.bytes)
        if let seal {
            wire.member(Field.signature, seal.signature)
            if let key = seal.key { wire.member(Field.key, key) }
        }
        return wire.bytes
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
        var message = WireWriter()
        message.member(Field.from, from.multihash)
        message.member(Field.data, data)
        message.member(Field.sequence, sequence)
        message.member(Field.topic, topic.bytes)
        return [UInt8]("libp2p-pubsub:".utf8) + message.bytes
    }
}
