import Concurrency
import GossipProtocol
import Logging
import Market

/// Opening and closing of links, and their gossip streams.
extension GossipService {
    /// Gossip's protocols, the preferred one first.
    static let gossipProtocols = ["/meshsub/1.1.0", "/meshsub/1.0.0"]

    func take(_ event: LinkEvent) async -> [GossipEffect] {
        switch event {
        case .opened(let info):
            // Its first frame may have arrived before this event.
            return table[info.peer] == nil ? open(info) : []
        case .identified(let peer, let description): return identified(peer, description)
        case .offended(let peer, let offence): return charge(peer, offence)
        case .closed(let peer, let end): return await close(peer, end)
        }
    }

    /// Finds the link of a frame that arrived before the link's `opened` event.
    func findLink(to peer: PeerID) async -> [GossipEffect] {
        guard let info = await links.link(to: peer) else { return [] }
        return open(info)
    }

    private func identified(_ peer: PeerID, _ description: PeerDescription) -> [GossipEffect] {
        guard let link = table[peer] else { return [] }
        // It may have started to speak gossip after it was asked.
        let isSpeaking = !Set(description.protocols).isDisjoint(with: Self.gossipProtocols)
        let work = isSpeaking ? reopenOutbox(to: peer) : []
        let newest = max(book.sequence(of: peer), link.description?.record?.sequence ?? 0)
        guard let record = description.record, record.sequence >= newest else {
            // A record older than one that was read before, or a missing one, replaces nothing.
            table[peer]?.description = description.withRecord(of: link.description)
            return work
        }
        table[peer]?.description = description
        if description.protocolVersion == Identify.protocolVersion {
            table[peer]?.told = (record.madeAt, now)
        }
        let learned = PeerBook.Event.learned(
            peer,
            record.addresses,
            sequence: record.sequence,
            reporter: link.info.address
        )
        return work + perform(book.handle(learned, at: now))
    }

    func outboxEnded(_ outbox: PeerOutbox, isRefused: Bool) -> [GossipEffect] {
        guard let link = table[outbox.peer], link.outbox === outbox else { return [] }
        outbox.end()
        guard !isRefused, takeOutbox(to: outbox.peer) else {
            table[outbox.peer]?.isMute = true
            tell(.muted(outbox.peer))
            return route(.muted(outbox.peer))
        }
        return beginOutbox(to: outbox.peer)
    }

    /// Opens a stream again to a peer that accepted none and now subscribes to a topic.
    func answerWant(_ rpc: GossipRPC, of peer: PeerID) -> [GossipEffect] {
        rpc.subscriptions.contains(where: \.isWanted) ? reopenOutbox(to: peer) : []
    }

    private func reopenOutbox(to peer: PeerID) -> [GossipEffect] {
        guard let link = table[peer], link.isMute else { return [] }
        return takeOutbox(to: peer) ? beginOutbox(to: peer) : []
    }

    /// Counts one more stream to a peer; `false` if too many of them ended recently.
    private func takeOutbox(to peer: PeerID) -> Bool {
        table[peer]?.lines.take(of: peer, at: now) ?? false
    }

    private func beginOutbox(to peer: PeerID) -> [GossipEffect] {
        let outbox = newOutbox(to: peer)
        table[peer]?.outbox = outbox
        table[peer]?.isMute = false
        return [.write(outbox)] + connected(peer)
    }

    private func open(_ info: LinkInfo) -> [GossipEffect] {
        let peer = info.peer
        let bans = perform(book.handle(.linked(info), at: now))
        guard book.isLinked(peer) else {
            // Counted once, however many of its frames arrive before it ends.
            if !bans.isEmpty { GossipMeters.countRefusedLink() }
            return bans
        }
        let outbox = newOutbox(to: peer)
        let rate = TokenBuckets<PeerID>.Rate(
            burst: settings.outboxesPerLinkMax,
            every: settings.lineInterval
        )
        var lines = TokenBuckets<PeerID>(rate, countMax: 1)
        _ = lines.take(of: peer, at: now)
        table[peer] = Link(info: info, outbox: outbox, lines: lines, usefulAt: now)
        tell(.linked(peer))
        let group = AddressGroup(of: info.address)
        let isOutbound = info.direction == .outbound
        return bans + [.write(outbox)] + connected(peer)
            + exchange(.linked(peer, isOutbound: isOutbound, group: group)) + duePeerQuestions()
    }

    private func newOutbox(to peer: PeerID) -> PeerOutbox {
        PeerOutbox(peer: peer, settings: settings, budget: outboxes)
    }

    private func connected(_ peer: PeerID) -> [GossipEffect] {
        guard let info = table[peer]?.info else { return [] }
        let isOutbound = info.direction == .outbound
        let group = AddressGroup(of: info.address)
        return route(.connected(peer, isOutbound: isOutbound, group: group))
    }

    private func close(_ peer: PeerID, _ end: LinkEnd) async -> [GossipEffect] {
        let charged = PeerOffence(end).map { charge(peer, $0) } ?? []
        let work = charged + perform(book.handle(.unlinked(peer, end), at: now))
        guard let link = table.removeValue(forKey: peer) else { return work }
        link.outbox.end()
        places.removeValue(forKey: peer)?.revoke()
        let ended = exchange(.unlinked(peer))
        tell(.unlinked(peer))
        // Another link may have replaced it, and the peer's first frames may have arrived: then the
        // router keeps its state of the peer.
        if let info = await links.link(to: peer) {
            return work + ended + open(info)
        }
        return work + ended + route(.disconnected(peer))
    }

    func answerStreams() async {
        for name in Self.gossipProtocols {
            await links.handle(protocol: name) { [self] stream in try await readFrames(stream) }
        }
        await links.handle(protocol: Self.recordsProtocol) { [self] stream in
            try await serveRecords(stream)
        }
        await links.handle(protocol: Self.peersProtocol) { [self] stream in
            try await tellPeers(stream)
        }
    }

    @concurrent
    nonisolated func perform(_ work: GossipEffect) async {
        switch work {
        case .write(let outbox): await write(outbox)
        case .exchange(let place): await exchange(in: place)
        case .dial(let peer, let addresses, let limit):
            await dial(peer, addresses, within: limit)
        case .askPeers(let peer): await askPeers(peer)
        case .resolve(let peer, let names, let isOwn): await resolve(peer, names, isOwn: isOwn)
        case .disconnect(let peer, let end): await links.disconnect(peer, reason: end)
        case .keep(let notes, let bans): await keep(notes, bans: bans)
        }
    }

    /// Reads a peer's frames.
    ///
    /// The peer waits while the inbox is full, or while its permits are withheld because it has
    /// used up its allowance.
    @concurrent
    private nonisolated func readFrames(_ stream: any PeerStream) async throws {
        let peer = stream.remotePeer
        try await streams.frames.with(peer) {
            let permits = AsyncSemaphore(unitsMax: settings.framesAheadMax)
            var messages = stream.messages(bytesMax: settings.gossip.frameBytesMax)
            do {
                while true {
                    let permit = try await permits.wait()
                    guard let frame = try await messages.next() else { break }
                    guard let rpc = GossipRPC(decoding: frame, limits: settings.gossip) else {
                        throw LinkError.malformedLength
                    }
                    let unusedBytes = max(0, frame.count - rpc.byteCountMax)
                    await inbox.send(.frame(rpc, from: peer, unusedBytes: unusedBytes, permit))
                }
            } catch let error as LinkError where error.isOfPeersFrames {
                offences.note(.malformedFrame, by: peer)
                throw error
            }
        }
    }

    /// Opens this node's stream to a peer, and writes its frames until the outbox ends.
    @concurrent
    private nonisolated func write(_ outbox: PeerOutbox) async {
        var isRefused = false
        do {
            let stream = try await links.open(protocols: Self.gossipProtocols, to: outbox.peer)
            while let frame = await outbox.next() {
                defer { outbox.written(frame) }
                try await stream.writeMessage(frame, within: settings.writeMax)
            }
            try await stream.closeWrite()
        } catch LinkError.protocolsRefused {
            isRefused = true
        } catch {
            logger.debug(
                "gossip stream ended",
                metadata: ["peer": "\(outbox.peer.text)", "reason": "\(error)"]
            )
        }
        await inbox.send(.outboxEnded(outbox, isRefused: isRefused))
    }
}

extension LinkError {
    /// Whether only frames that break the protocol cause it; a broken link is another error.
    var isOfPeersFrames: Bool {
        switch self {
        case .messageTooLong, .malformedLength, .cutOff, .stalled: true
        default: false
        }
    }
}
