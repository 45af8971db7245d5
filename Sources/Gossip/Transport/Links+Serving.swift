import Concurrency
import GossipProtocol
import Logging
import Market
import NIOCore

/// Serving of open links.
extension Links {
    /// All protocols that this node answers.
    var protocols: [String] {
        [Identify.protocolID, Identify.pushProtocolID, Ping.protocolID] + answers.keys.sorted()
    }

    /// Serves one link from its opening to its end; waits first until `predecessor` is closed.
    func serve(_ link: Link, after predecessor: Link?) async {
        defer { closeGracefully(link) }
        if let predecessor { _ = await predecessor.closed.receive() }
        logger.debug("link opened", metadata: ["peer": "\(link.peer.text)"])
        await events.send(.opened(link.info))
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.identify(link) }
            tasks.addTask { await self.tellOffences(of: link) }
            while let port = await link.socket.arrivals.receive() {
                tasks.addTask { await self.answer(port, on: link) }
            }
            if table[link.peer]?.isSame(as: link) == true { table[link.peer] = nil }
            link.socket.end(.stopped)
            tasks.cancelAll()
        }
        guard let end = await settled(link.socket.ended) else { return }
        logger.debug(
            "link ended",
            metadata: ["peer": "\(link.peer.text)", "reason": "\(end.label)"]
        )
        await events.send(.closed(link.peer, end))
    }

    private func tellOffences(of link: Link) async {
        while let offence = await link.socket.offences.receive() {
            await events.send(.offended(link.peer, offence))
        }
    }

    /// Negotiates the protocol of a stream that the peer opened, and runs its handler.
    private func answer(_ port: StreamHandle, on link: Link) async {
        do {
            let stream = try await agree(on: port, of: link)
            do {
                try await run(stream, on: link)
            } catch {
                // Reset it before it is released; a release would close it as if nothing were
                // wrong.
                stream.reset()
                throw error
            }
        } catch {
            logger.trace(
                "stream ended early",
                metadata: ["peer": "\(link.peer.text)", "reason": "\(error)"]
            )
        }
    }

    /// Negotiates a stream's protocol; charges the peer for a stream that ends without one.
    private func agree(on port: StreamHandle, of link: Link) async throws -> LinkStream {
        let names = protocols
        do {
            return try await LinkStream.negotiate(
                .listener(names),
                names,
                on: port,
                with: link.peer,
                within: limits.negotiationMax
            )
        } catch let error as LinkError {
            switch error {
            case .negotiation, .streamReset, .timedOut: await noteFruitlessStream(of: link)
            default: break
            }
            throw error
        }
    }

    /// Counts a stream without an agreed protocol.
    ///
    /// An honest peer may now and then ask for a protocol that this node does not speak.
    private func noteFruitlessStream(of link: Link) async {
        let group = AddressGroup(of: link.address)
        let now = Moment.ofEventLoops
        guard !shared.budget.takeFruitlessStream(of: link.peer, from: group, at: now) else {
            return
        }
        await events.send(.offended(link.peer, .fruitlessStreams))
    }

    private func run(_ stream: LinkStream, on link: Link) async throws {
        let peer = link.peer
        switch stream.protocolID {
        case Identify.protocolID:
            try await meterDescription(of: link)
            try await identifications.with(peer) { try await answerIdentify(stream, on: link) }
        case Identify.pushProtocolID:
            try await meterDescription(of: link)
            try await descriptions.with(peer) { try await takeDescription(stream, on: link) }
        case Ping.protocolID:
            try await pings.with(peer) {
                try await Ping.answer(stream, within: limits.negotiationMax) {
                    try await clock.wait($0)
                }
            }
        default:
            guard let body = answers[stream.protocolID] else { return stream.reset() }
            try await body(stream)
        }
    }
}
