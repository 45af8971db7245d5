import Concurrency

/// The blocks that an endpoint announces.
struct HeadAnnouncements: Sendable {
    /// The endpoint.
    let session: EndpointSession
    let heads: HeadSubscription
}

extension ChainClient {
    /// Returns the announcements of an endpoint, or of another one if it makes none.
    ///
    /// One subscription is kept for each endpoint. Earlier announcements are skipped.
    ///
    /// - Returns: `nil` if no usable endpoint announces blocks.
    func announcements(preferring session: EndpointSession) async -> HeadAnnouncements? {
        let others = pool.candidates(at: clock.uptime).filter { $0 != session.index }
        for index in [session.index] + others where endpoints[index].isWebSocket {
            // A failure is recorded already, and the next endpoint may do.
            guard let heads = try? await subscription(to: index) else { continue }
            let session = EndpointSession(client: self, index: index, name: name(of: index))
            return HeadAnnouncements(session: session, heads: heads)
        }
        return nil
    }

    /// Records that an endpoint announced something that is not a block.
    func announced(_ detail: String, by session: EndpointSession) {
        let error = EthereumError.malformed(
            session.name,
            method: "eth_subscription",
            detail: detail
        )
        _ = fault(session.index, error)
    }

    /// Returns whether an endpoint is not mistrusted now.
    func isTrusted(_ session: EndpointSession) -> Bool {
        switch pool.wait(of: session.index, at: clock.uptime) {
        case .contradiction, .wrongChain, .replacedChain: false
        default: true
        }
    }

    /// Returns the endpoint's subscription; subscribes if there is none.
    private func subscription(to index: Int) async throws -> HeadSubscription? {
        if let heads = subscriptions[index] {
            guard heads.isEnded else { return heads }
            subscriptions[index] = nil
            throw fault(index, .unreachable(name(of: index), reason: "its WebSocket ended"))
        }
        guard clock.uptime >= unsubscribedUntil[index] ?? .zero else { return nil }
        try await connect(index)
        let (call, codec) = (RPCCall.newHeads, codec(of: index))
        let request = try codec.request(call)
        let granted = try await exchange(index, method: call.method) {
            try await transport.subscribe(
                request,
                to: endpoints[index],
                timeout: limits.answerTimeout
            )
        }
        guard let granted else { return nil }
        do {
            _ = try codec.answer(to: call, granted.answer)
        } catch EthereumError.refused {
            // It answers as it may: not every endpoint has subscriptions.
            unsubscribedUntil[index] = clock.uptime + limits.mistrust
            return nil
        } catch {
            throw fault(index, error)
        }
        subscriptions[index] = granted.heads
        return granted.heads
    }
}
