import Concurrency
package import GossipProtocol
import Logging
import Market

/// Finding peers, storing the peer book, and reporting its state.
extension GossipService {
    static let peersProtocol = "/stoa/peers/1"
    private static let recordBytesMax = 4_096
    /// Bytes of one record in a list.
    static let sentRecordBytes = recordBytesMax + 8

    /// Returns the linked peers with their state.
    package func peers() -> [PeerStatus] {
        table.values.sorted { $0.info.peer < $1.info.peer }.map { link in
            let peer = link.info.peer
            return PeerStatus(
                link: link.info,
                agentVersion: link.description?.agentVersion,
                time: link.told.map { told in
                    told.time + (now.sinceStart - told.at.sinceStart).components.seconds
                },
                topics: router.topics(of: peer).sorted(),
                meshes: router.meshes.filter { $0.value.contains(peer) }.keys.sorted(),
                framesDropped: link.framesDropped,
                exchanges: link.exchanges
            )
        }
    }

    /// Returns the topics this node takes part in, with their state.
    package func status() -> [TopicStatus] {
        topics.sorted().map { topic in
            TopicStatus(
                topic: topic,
                mesh: router.mesh(of: topic).sorted(),
                subscribers: router.subscribers(of: topic),
                exchanges: table.mapValues { $0.exchanges[topic] ?? ExchangeStatus() }
            )
        }
    }

    /// Returns the counts of gossip since the start.
    package func counts() -> GossipCounts { gossipCounts }

    /// Returns the peers that are banned now: until when, in seconds of Unix time, and why.
    package func bans() -> [PeerNote] {
        book.banned(at: now).compactMap { book.note(of: $0, unixTime: unixTime(), at: now) }
    }

    /// Asks peers for other peers while more links are wanted, less often each time.
    func duePeerQuestions() -> [GossipEffect] {
        guard book.linksMissing > 0 else { return [] }
        var work: [GossipEffect] = []
        for (peer, link) in table.sorted(by: { $0.key < $1.key })
        where !link.isAskingPeers && asking.take(peer, at: now) {
            table[peer]?.isAskingPeers = true
            work.append(.askPeers(peer))
        }
        return work
    }

    func receivedPeers(_ records: [PeerRecord], from reporter: PeerID) -> [GossipEffect] {
        guard let link = table[reporter] else { return [] }
        table[reporter]?.usefulAt = now
        return records.flatMap { record in
            perform(
                book.handle(
                    .learned(
                        record.peer,
                        record.addresses,
                        sequence: record.sequence,
                        reporter: link.info.address,
                        by: reporter
                    ),
                    at: now
                )
            )
        }
    }

    /// Passes changed entries of the book to the peer store, one batch at a time.
    func dueNotes() -> [GossipEffect] {
        guard !isKeepingNotes, !changedNotes.isEmpty || !changedBans.isEmpty else { return [] }
        let notes = changedNotes.sorted().compactMap {
            book.note(of: $0, unixTime: unixTime(), at: now) ?? PeerNote(peer: $0)
        }
        let bans = changedBans.sorted().map {
            book.banNote(of: $0, unixTime: unixTime(), at: now)
        }
        (changedNotes, changedBans) = ([], [])
        isKeepingNotes = true
        return [.keep(notes, bans: bans)]
    }

    @concurrent
    nonisolated func keep(_ notes: [PeerNote], bans: [AddressBanNote]) async {
        await errors.item("keep peers") { try await peerStore.keep(notes, bans: bans) }
        await inbox.send(.notesKept)
    }

    /// Resolves the host names among a peer's addresses, in parallel.
    @concurrent
    nonisolated func resolve(_ peer: PeerID, _ names: [Multiaddr], isOwn: Bool) async {
        let found = await withTaskGroup { [links] group in
            for name in names {
                group.addTask {
                    (name, await links.resolve(name, isOwn: isOwn).compactMap(\.ipAddress))
                }
            }
            var found: [Multiaddr: [IPAddress]] = [:]
            for await (name, addresses) in group { found[name] = addresses }
            return found
        }
        await inbox.send(.resolved(peer, found))
    }

    @concurrent
    nonisolated func dial(
        _ peer: PeerID,
        _ addresses: [Multiaddr],
        within limit: Duration?
    ) async {
        var others: [Multiaddr: PeerID] = [:]
        for address in addresses {
            do {
                try await dial(address, within: limit)
                return
            } catch {
                if case LinkError.linkEnded(.tls(.wrongPeer(let other))) = error {
                    others[address] = other
                }
                logger.debug(
                    "cannot reach peer",
                    metadata: ["address": "\(address)", "reason": "\(error)"]
                )
            }
        }
        await inbox.send(.dialFailed(peer, others: others))
    }

    @concurrent
    private nonisolated func dial(_ address: Multiaddr, within limit: Duration?) async throws {
        guard let limit else {
            _ = try await links.dial(address)
            return
        }
        try await withTimeLimit(limit, throwing: LinkError.timedOut, clock: clock) { [links] in
            _ = try await links.dial(address)
        }
    }

    /// Asks a peer for other peers that it is linked with.
    @concurrent
    nonisolated func askPeers(_ peer: PeerID) async {
        do {
            let stream = try await links.open(protocols: [Self.peersProtocol], to: peer)
            try await stream.closeWrite()
            let bytesMax = settings.sentPeersMax * Self.sentRecordBytes
            var messages = stream.messages(bytesMax: bytesMax)
            let message = try await messages.next(within: settings.answerMax) ?? []
            await inbox.send(.receivedPeers(try read(message), from: peer))
        } catch LinkError.protocolsRefused {
            // Not every peer is a Stoa node.
        } catch let error as LinkError {
            logger.trace(
                "peer tells of no others",
                metadata: ["peer": "\(peer.text)", "reason": "\(error)"]
            )
        } catch is CancellationError {
            // The node is stopping.
        } catch {
            offences.note(.malformedPeers, by: peer)
        }
        await inbox.send(.askedPeers(peer))
    }

    /// Sends a peer the signed addresses of other peers that this node is linked with.
    @concurrent
    nonisolated func tellPeers(_ stream: any PeerStream) async throws {
        try await streams.tellings.with(stream.remotePeer) {
            let peer = stream.remotePeer
            let answer = await takeQuestion(of: peer)
            guard answer == .granted else {
                if answer == .overdrawn { offences.note(.tooManyQuestions, by: peer) }
                throw LinkError.full(.streams)
            }
            uses.note(peer)
            let room = try await stream.room(for: settings.sentPeersMax * Self.sentRecordBytes)
            defer { withExtendedLifetime(room) {} }
            let records = await envelopes(besides: peer)
            var message = WireWriter()
            message.write(1, all: records)
            try await stream.writeMessage(message.bytes, within: settings.answerMax)
        }
    }

    private nonisolated func read(_ message: [UInt8]) throws(PeerRecord.Refusal) -> [PeerRecord] {
        guard let fields = ProtobufFields(message, fieldsMax: settings.sentPeersMax) else {
            throw .malformed
        }
        var records: [PeerRecord] = []
        for envelope in fields.repeated(1) { records.append(try PeerRecord(envelope: envelope)) }
        return records
    }

    private func takeQuestion(of peer: PeerID) -> PeerMeter.Decision {
        let group = table[peer].flatMap { AddressGroup(of: $0.info.address) }
        return peerQuestions.take(by: peer, of: group, at: now)
    }

    private func envelopes(besides asker: PeerID) -> [[UInt8]] {
        let told = table.values.filter { $0.info.peer != asker }
            .compactMap { link in link.description?.sealedRecord }
            .filter { $0.count <= Self.recordBytesMax }
        return Array(told.shuffled(using: &random).prefix(settings.sentPeersMax))
    }
}
