import Concurrency
import Logging
import Market
import NIOCore

/// What happens on a link while it is open.
extension Links {
    /// Everything this node answers.
    var protocols: [String] {
        [Identify.protocolID, Identify.pushProtocolID, Ping.protocolID] + answers.keys.sorted()
    }

    /// Serves one link from its opening to its end; `predecessor` must be gone before.
    func serve(_ link: Link, after predecessor: Link?) async {
        defer { closeGracefully(link) }
        if let predecessor { _ = await predecessor.closed.receive() }
        logger.debug("link opened", metadata: ["peer": "\(link.peer.text)"])
        await events.send(.opened(link.info))
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await self.identify(link) }
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

    /// Agrees on the protocol of a stream the peer opened, and runs its body.
    private func answer(_ port: StreamHandle, on link: Link) async {
        do {
            let stream = try await agree(on: port, of: link)
            do {
                try await run(stream, on: link)
            } catch {
                // Before it is let go of, which would close it as if nothing were wrong.
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

    /// Agrees on the protocol of a stream; one that ends with none agreed is held against its
    /// peer.
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

    /// Counts a stream with no protocol agreed: an honest peer may ask now and then for what is not
    /// spoken here.
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
                try await Ping.answer(stream, within: limits.negotiationMax)
            }
        default:
            guard let body = answers[stream.protocolID] else { return stream.reset() }
            try await body(stream)
        }
    }
}
