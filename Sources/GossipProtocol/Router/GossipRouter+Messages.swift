import Market

extension GossipRouter {
    /// Handles a message: checks form and id, then duplicates, then room and rate, then the
    /// signature.
    ///
    /// The most expensive check comes last. Only a verified message is marked as seen and fulfils a
    /// promise, since under StrictSign a corrupted copy has the id of the genuine one.
    mutating func receive(
        _ message: GossipMessage,
        from peer: PeerID,
        at now: Moment
    ) -> [Directive] {
        // Honest peers send messages of topics that this node has not joined only for a moment.
        guard meshes[message.topic] != nil else {
            return noteDuplicate(by: peer, topic: message.topic)
        }
        guard message.data.count <= limits.messageBytesMax, let id = policy.identify(message)
        else { return unfit(peer) }
        if let publisher, message.seal?.from == publisher {
            return noteDuplicate(by: peer, topic: message.topic)
        }
        if let known = pending[id] {
            // A different message with the same id is not the pending one.
            if known.message == message, !known.peers.contains(peer) { add(peer, to: id) }
            return noteDuplicate(by: peer, topic: message.topic)
        }
        if seen.contains(id) { return noteDuplicate(by: peer, topic: message.topic) }
        // If its origin has no room left, or the peer is too fast, forget the message: it may
        // arrive again.
        let origin = origin(of: peer)
        let victims = waiting.victims(for: message.data.count, of: origin)
        if victims == nil { crowdedOutCount += 1 }
        guard let victims, allowances.takeDelivery(by: peer, of: peers[peer]?.group) else {
            // The peer served what it promised, even if this node drops it.
            if promises[id]?.peer == peer { fulfil(id) }
            return []
        }
        guard policy.isSigned(message) else { return unfit(peer) }
        for victim in victims { drop(victim) }
        fulfil(id)
        remember(id, at: now)
        pending[id] = Pending(message: message, senders: [sender(peer)])
        waiting.add(id, message.data.count, of: origin)
        return judgeNext()
    }

    /// Returns whose messages share a part of the room with those of a peer.
    private func origin(of peer: PeerID) -> WaitingMessages.Origin {
        peers[peer]?.group.map { .address($0) } ?? .peer(peer)
    }

    /// Adds a peer that sent a pending message too.
    private mutating func add(_ peer: PeerID, to id: MessageID) {
        let isShared = waiting.share(id, with: origin(of: peer))
        let place = isShared ? pending[id]?.validated : pending[id]?.senders.count
        let sender = sender(peer)
        pending[id]?.senders.insert(sender, at: place ?? 0)
    }

    private func sender(_ peer: PeerID) -> Sender { Sender(peer: peer, group: peers[peer]?.group) }

    /// Forgets a message that was not validated yet: it may arrive again, and is requested if
    /// announced.
    private mutating func drop(_ id: MessageID) {
        crowdedOutCount += 1
        pending[id] = nil
        waiting.remove(id)
        seen.remove(id)
    }

    /// Starts validating as many waiting messages as allowed at one time.
    private mutating func judgeNext() -> [Directive] {
        var directives: [Directive] = []
        while waiting.judgedCount < limits.judgedMax, let id = waiting.next() {
            guard let next = pending[id] else { continue }
            let sender = next.senders[next.validated].peer
            directives.append(.validate(next.message, id: id, from: sender))
        }
        return directives
    }

    /// Marks an id as seen; `false` if it was seen before.
    @discardableResult
    private mutating func remember(_ id: MessageID, at now: Moment) -> Bool {
        guard seen.insert(id, at: now) else { return false }
        newCount += 1
        return true
    }

    private mutating func unfit(_ peer: PeerID) -> [Directive] {
        scores.noteMisconduct(by: peer)
        return [.note(peer, .unfitMessage)]
    }

    mutating func validated(_ id: MessageID, _ verdict: Verdict) -> [Directive] {
        guard let judged = pending.removeValue(forKey: id) else { return [] }
        if verdict == .ignoreForNow, let next = validateForNext(id, judged) { return [next] }
        waiting.end(id)
        return settle(judged, id, verdict) + judgeNext()
    }

    private mutating func settle(
        _ judged: Pending,
        _ id: MessageID,
        _ verdict: Verdict
    ) -> [Directive] {
        let topic = judged.message.topic
        switch verdict {
        case .accept:
            let first = judged.senders[judged.validated].peer
            scores.noteFirstDelivery(by: first, topic: topic)
            peers[first]?.firstDeliveries += 1
            cache.put(judged.message, id)
            return forward(judged.message, to: mesh(of: topic).subtracting(judged.peers))
        case .reject:
            for sender in judged.peers { scores.noteRejected(by: sender, topic: topic) }
            return judged.peers.map { .note($0, .rejectedMessage) }
        case .ignore:
            return []
        case .ignoreForNow:
            seen.remove(id)
            return []
        }
    }

    /// Lets the next sender's copy of a message be validated, if another peer sent it in the
    /// meantime.
    ///
    /// A message that is not accepted from one origin now may be accepted from another, whose copy
    /// does not arrive again.
    private mutating func validateForNext(_ id: MessageID, _ judged: Pending) -> Directive? {
        let next = judged.validated + 1
        guard next < judged.senders.count else { return nil }
        pending[id] = judged
        pending[id]?.validated = next
        return .validate(judged.message, id: id, from: judged.senders[next].peer)
    }

    /// Sends this node's own message to every peer of the topic, not only to the mesh.
    ///
    /// Source: gossipsub-v1.1.md, "Flood Publishing".
    mutating func publish(_ data: [UInt8], on topic: Topic, at now: Moment) -> [Directive] {
        sequence += 1
        let message = policy.message(data, on: topic, sequence: sequence)
        guard let id = policy.identify(message), remember(id, at: now) else { return [] }
        cache.put(message, id)
        let hearers = subscribers(of: topic).filter { scores.score(of: $0) >= 0 }
        if meshes[topic] == nil, !hearers.isEmpty {
            let present = fanouts[topic]?.peers ?? []
            let others = hearers.filter { !present.contains($0) }.shuffled(using: &random)
            fanouts[topic] = Fanout(
                peers: present.union(others.prefix(limits.meshSize - present.count)),
                lastPublished: now
            )
        }
        return forward(message, to: Set(hearers))
    }

    /// Forwards a message that did not arrive by gossip, as if a peer had sent it.
    mutating func relay(_ data: [UInt8], on topic: Topic, at now: Moment) -> [Directive] {
        // A message signed by its publisher can only be forwarded with that signature.
        guard case .strictNoSign = policy else { return [] }
        let message = GossipMessage(topic: topic, data: data)
        guard let id = policy.identify(message), pending[id] == nil, remember(id, at: now)
        else { return [] }
        fulfil(id)
        cache.put(message, id)
        return forward(message, to: mesh(of: topic))
    }

    private func forward(_ message: GossipMessage, to peers: Set<PeerID>) -> [Directive] {
        var rpc = GossipRPC()
        rpc.messages = [message]
        return peers.sorted().filter { $0 != message.seal?.from }.map { .send(rpc, to: $0) }
    }

    /// Asks for announced messages that were not seen, within the peer's allowance.
    ///
    /// Source: gossipsub-v1.1.md, "IHAVE Spam" and "Broken Promises".
    mutating func want(
        _ announcements: [GossipRPC.Announcement],
        of peer: PeerID,
        answer: inout GossipRPC,
        at now: Moment
    ) -> [Directive] {
        guard !announcements.isEmpty, scores.score(of: peer) >= 0 else { return [] }
        let announcementsMax = limits.announcementsPerHeartbeatMax * allowances.beats
        allowances[peer].announcements += 1
        let excess = allowances[peer].announcements - announcementsMax
        guard excess <= 0 else { return excess == 1 ? charge(peer, .tooManyAnnouncements) : [] }
        var wanted: [MessageID] = []
        for announcement in announcements where meshes[announcement.topic] != nil {
            let isInMesh = mesh(of: announcement.topic).contains(peer)
            for id in announcement.ids where !seen.contains(id) {
                guard allowances[peer].wanted < limits.wantedPerHeartbeatMax else { break }
                if ask(peer, for: id, at: now, again: isInMesh) { wanted.append(id) }
            }
        }
        answer.wanted = wanted
        return []
    }

    /// Records a promise; `false` if the message is requested already, or too many are.
    ///
    /// A peer of the mesh announces only messages that were lost on their way here, so it is asked
    /// `again` for them.
    private mutating func ask(
        _ peer: PeerID,
        for id: MessageID,
        at now: Moment,
        again: Bool = false
    ) -> Bool {
        if let promise = promises[id] {
            if promise.peer == peer {
                if again { allowances[peer].wanted += 1 }
                return again
            }
            if !promise.others.contains(peer), promise.others.count < limits.announcersMax {
                promises[id]?.others.append(peer)
            }
            return false
        }
        guard promises.count < limits.promisesMax,
            peers[peer].map({ $0.promises < limits.promisesPerPeerMax }) ?? false
        else { return false }
        promises[id] = IWantPromise(peer: peer, until: now + limits.promiseLife)
        peers[peer]?.promises += 1
        allowances[peer].wanted += 1
        return true
    }

    private func mayAsk(_ peer: PeerID) -> Bool { peers[peer]?.isMute == false }

    /// Removes a promise, whether kept or broken.
    @discardableResult
    private mutating func fulfil(_ id: MessageID) -> IWantPromise? {
        guard let promise = promises.removeValue(forKey: id) else { return nil }
        peers[promise.peer]?.promises -= 1
        return promise
    }

    /// Charges peers that announced and did not serve, and asks the next announcer of the same ids.
    mutating func breakPromises(at now: Moment) -> [Directive] {
        let late = promises.filter { $0.value.until <= now || !mayAsk($0.value.peer) }
        var broken: Set<PeerID> = []
        var asked: [PeerID: [MessageID]] = [:]
        for (id, promise) in late.sorted(by: { $0.key < $1.key }) {
            fulfil(id)
            if mayAsk(promise.peer) { broken.insert(promise.peer) }
            let others = promise.others.filter { mayAsk($0) }
            guard let next = others.first, ask(next, for: id, at: now) else { continue }
            promises[id]?.others = Array(others.dropFirst())
            asked[next, default: []].append(id)
        }
        var directives: [Directive] = []
        for peer in broken.sorted() {
            scores.noteBrokenPromise(by: peer)
            directives.append(.note(peer, .brokenPromise))
        }
        for (peer, ids) in asked.sorted(by: { $0.key < $1.key }) {
            var rpc = GossipRPC()
            rpc.wanted = ids
            directives.append(.send(rpc, to: peer))
        }
        return directives
    }
}
