import Market

extension GossipRouter {
    mutating func receive(
        _ message: GossipMessage,
        from peer: PeerID,
        at now: Moment
    ) -> [Directive] {
        guard meshes[message.topic] != nil else { return [] }
        guard message.data.count <= limits.messageBytesMax, let id = policy.admit(message) else {
            scores.noteMisconduct(by: peer)
            return [.note(peer, .unfitMessage)]
        }
        promises[id] = nil
        if pending[id] != nil {
            if pending[id]?.senders.contains(peer) == false { pending[id]?.senders.append(peer) }
            scores.noteDuplicate(by: peer, topic: message.topic)
            return []
        }
        // A full waiting room forgets the message, so that it may come again.
        guard pending.count < limits.pendingMax, seen.insert(id, at: now) else { return [] }
        pending[id] = Pending(message: message, senders: [peer])
        return [.judge(message, id: id, from: peer)]
    }

    mutating func judged(_ id: MessageID, _ verdict: Verdict) -> [Directive] {
        guard let waiting = pending.removeValue(forKey: id) else { return [] }
        let topic = waiting.message.topic
        switch verdict {
        case .accept:
            if let first = waiting.senders.first {
                scores.noteFirstDelivery(by: first, topic: topic)
            }
            cache.put(waiting.message, id)
            return forward(waiting.message, to: mesh(of: topic).subtracting(waiting.senders))
        case .reject:
            for sender in waiting.senders { scores.noteRejected(by: sender, topic: topic) }
            return waiting.senders.map { .note($0, .rejectedMessage) }
        case .ignore:
            return []
        case .ignoreForNow:
            seen.remove(id)
            return []
        }
    }

    /// Sends our own message to every peer of the topic, not to the mesh alone.
    ///
    /// Source: gossipsub-v1.1.md, "Flood Publishing".
    mutating func publish(_ data: [UInt8], on topic: Topic, at now: Moment) -> [Directive] {
        sequence += 1
        let message = policy.message(data, on: topic, sequence: sequence)
        guard let id = policy.admit(message), seen.insert(id, at: now) else { return [] }
        cache.put(message, id)
        let hearers = subscribers(of: topic).filter { scores.score(of: $0) >= 0 }
        if meshes[topic] == nil, !hearers.isEmpty {
            fanouts[topic] = Fanout(
                peers: Set(hearers.prefix(limits.meshSize)),
                lastPublished: now
            )
        }
        return forward(message, to: Set(hearers))
    }

    private func forward(_ message: GossipMessage, to peers: Set<PeerID>) -> [Directive] {
        var rpc = GossipRPC()
        rpc.messages = [message]
        return peers.sorted().filter { $0 != message.seal?.from }.map { .send(rpc, to: $0) }
    }

    /// Asks for announced messages that were not seen, within what one peer may make us ask.
    ///
    /// Source: gossipsub-v1.1.md, "IHAVE Spam" and "Broken Promises".
    mutating func want(
        _ announcements: [GossipRPC.Announcement],
        of peer: PeerID,
        answer: inout GossipRPC,
        at now: Moment
    ) -> [Directive] {
        guard !announcements.isEmpty, scores.score(of: peer) >= 0 else { return [] }
        peers[peer]?.announcements += 1
        guard let state = peers[peer], state.announcements <= limits.announcementsPerHeartbeatMax
        else {
            scores.noteMisconduct(by: peer)
            return [.note(peer, .tooManyAnnouncements)]
        }
        var wanted: [MessageID] = []
        var chosen: Set<MessageID> = []
        for announcement in announcements where meshes[announcement.topic] != nil {
            for id in announcement.ids where promises[id] == nil && !seen.contains(id) {
                guard state.wanted + wanted.count < limits.wantedPerHeartbeatMax else { break }
                if chosen.insert(id).inserted { wanted.append(id) }
            }
        }
        peers[peer]?.wanted += wanted.count
        if let promised = wanted.randomElement(using: &random), promises.count < limits.promisesMax
        {
            promises[promised] = (peer, now + limits.promiseLife)
        }
        answer.wanted = wanted
        return []
    }

    /// Finds peers that announced and did not serve.
    mutating func breakPromises(at now: Moment) -> [Directive] {
        let broken = promises.filter { $0.value.until <= now }
        var directives: [Directive] = []
        for (id, promise) in broken.sorted(by: { $0.key < $1.key }) {
            promises[id] = nil
            scores.noteBrokenPromise(by: promise.peer)
            directives.append(.note(promise.peer, .brokenPromise))
        }
        return directives
    }
}
