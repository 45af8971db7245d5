import Market

extension GossipRouter {
    mutating func join(_ topic: Topic, at now: Moment) -> [Directive] {
        guard meshes[topic] == nil else { return [] }
        let known = fanouts.removeValue(forKey: topic)?.peers ?? []
        meshes[topic] = []
        var directives = tellAll(topic, isWanted: true)
        let kept = known.sorted().filter { mayGraft($0, topic, at: now) }
        let added = chooseGrafts(
            topic,
            count: limits.meshSize - kept.count,
            besides: known,
            at: now
        )
        directives += graft(kept + added, topic)
        return directives
    }

    mutating func leave(_ topic: Topic, at now: Moment) -> [Directive] {
        guard let mesh = meshes.removeValue(forKey: topic) else { return [] }
        var directives = tellAll(topic, isWanted: false)
        for peer in mesh.sorted() {
            directives.append(prune(peer, topic, for: limits.unsubscribeBackoff, at: now))
        }
        return directives
    }

    /// Handles a peer's GRAFTs and PRUNEs.
    ///
    /// Source: gossipsub-v1.0.md, "Control Messages"; gossipsub-v1.1.md, "Prune Backoff and Peer
    /// Exchange" and "GRAFT flood".
    mutating func change(
        _ changes: [GossipRPC.MeshChange],
        by peer: PeerID,
        answer: inout GossipRPC,
        at now: Moment
    ) -> [Directive] {
        var directives: [Directive] = []
        for change in changes {
            switch change {
            case .graft(let topic):
                guard meshes[topic] != nil, meshes[topic]?.contains(peer) == false else { continue }
                if let refusal = refuseGraft(by: peer, topic, at: now) {
                    answer.meshChanges.append(refusal.prune)
                    backOff(peer, topic, for: limits.backoff, at: now)
                    if let offence = refusal.offence {
                        scores.noteMisconduct(by: peer)
                        directives.append(.note(peer, offence))
                    }
                } else {
                    if let crowding = memberInTheWay(of: peer, topic) {
                        directives.append(prune(crowding, topic, for: limits.backoff, at: now))
                    }
                    admit(peer, topic)
                    peers[peer]?.topics.insert(topic)
                }
            case .prune(let topic, let seconds):
                guard meshes[topic] != nil else { continue }
                meshes[topic]?.remove(peer)
                let asked = seconds == 0 ? limits.backoff : .seconds(Int64(clamping: seconds))
                backOff(peer, topic, for: min(asked, limits.backoffMax), at: now)
            }
        }
        return directives
    }

    mutating func heartbeat(at now: Moment) -> [Directive] {
        var directives = breakPromises(at: now)
        renewAllowances(at: now)
        expireBackoffs(at: now)
        for topic in meshes.keys.sorted() { directives += balance(topic, at: now) }
        expireFanouts(at: now)
        for topic in meshes.keys.sorted() {
            directives += announce(topic, besides: mesh(of: topic))
        }
        for (topic, fanout) in fanouts.sorted(by: { $0.key < $1.key }) {
            directives += announce(topic, besides: fanout.peers)
        }
        for peer in peers.keys { peers[peer]?.isBehind = false }
        seen.expire(at: now)
        cache.shift()
        return directives
    }

    /// Brings a mesh back within its bounds, with enough peers that this node dialled.
    private mutating func balance(_ topic: Topic, at now: Moment) -> [Directive] {
        var directives: [Directive] = []
        for peer in mesh(of: topic).sorted() where scores.score(of: peer) < 0 {
            directives.append(prune(peer, topic, for: limits.backoff, at: now))
        }
        let mesh = mesh(of: topic)
        if mesh.count < limits.meshSizeLow {
            let missing = limits.meshSize - mesh.count
            directives += graft(chooseGrafts(topic, count: missing, besides: mesh, at: now), topic)
        } else if mesh.count > limits.meshSizeHigh {
            let kept = keep(mesh)
            for peer in mesh.subtracting(kept).sorted() {
                directives.append(prune(peer, topic, for: limits.backoff, at: now))
            }
        }
        let outbound = self.mesh(of: topic).filter { peers[$0]?.isOutbound == true }.count
        if self.mesh(of: topic).count >= limits.meshSizeLow, outbound < limits.meshOutbound {
            let added = chooseGrafts(
                topic,
                count: limits.meshOutbound - outbound,
                besides: self.mesh(of: topic),
                onlyOutbound: true,
                at: now
            )
            directives += graft(added, topic)
        }
        return directives
    }

    /// Returns the peers of an oversized mesh that stay: the best, and enough that were dialled.
    private mutating func keep(_ mesh: Set<PeerID>) -> Set<PeerID> {
        let shuffled = byTurns(mesh.sorted().shuffled(using: &random))
        let best = shuffled.sorted { scores.score(of: $0) > scores.score(of: $1) }
        let outbound = best.filter { peers[$0]?.isOutbound == true }.prefix(limits.meshOutbound)
        let others = best.filter { !outbound.contains($0) }
        return Set(outbound + others.prefix(limits.meshSize - outbound.count))
    }

    /// Announces recent message ids to some peers outside the mesh.
    private mutating func announce(_ topic: Topic, besides mesh: Set<PeerID>) -> [Directive] {
        let ids = cache.announceable(topic)
        guard !ids.isEmpty else { return [] }
        let hearers = subscribers(of: topic).filter { scores.score(of: $0) >= 0 }
        let behind = hearers.filter { peers[$0]?.isBehind == true }
        let others = hearers.filter { !mesh.contains($0) && peers[$0]?.isBehind != true }
        let count = max(limits.gossipPeers, others.count * limits.gossipPercent / 100)
        var directives: [Directive] = []
        for peer in behind + byTurns(others.shuffled(using: &random)).prefix(count) {
            var rpc = GossipRPC()
            let chosen = ids.shuffled(using: &random).prefix(limits.wantedPerHeartbeatMax)
            rpc.announcements = [.init(topic: topic, ids: Array(chosen))]
            directives.append(.send(rpc, to: peer))
        }
        return directives
    }

    private mutating func expireFanouts(at now: Moment) {
        fanouts = fanouts.filter {
            $0.value.lastPublished + limits.fanoutLife > now && !$0.value.peers.isEmpty
        }
    }

    private func refuseGraft(
        by peer: PeerID,
        _ topic: Topic,
        at now: Moment
    ) -> (prune: GossipRPC.MeshChange, offence: Offence?)? {
        let seconds = UInt64(limits.backoff.components.seconds)
        let prune = GossipRPC.MeshChange.prune(topic, backoffSeconds: seconds)
        if let until = backoffs[topic]?[peer], until > now { return (prune, .graftTooEarly) }
        if scores.score(of: peer) < 0 { return (prune, nil) }
        let isFull =
            mesh(of: topic).count >= limits.meshSizeHigh && memberInTheWay(of: peer, topic) == nil
        return isFull && peers[peer]?.isOutbound == false ? (prune, nil) : nil
    }

    private mutating func chooseGrafts(
        _ topic: Topic,
        count: Int,
        besides present: Set<PeerID>,
        onlyOutbound: Bool = false,
        at now: Moment
    ) -> [PeerID] {
        guard count > 0 else { return [] }
        let candidates = subscribers(of: topic).filter { peer in
            !present.contains(peer) && mayGraft(peer, topic, at: now)
                && (!onlyOutbound || peers[peer]?.isOutbound == true)
        }
        let turns = byTurns(candidates.shuffled(using: &random), after: present)
        return Array(turns.prefix(count))
    }

    private func mayGraft(_ peer: PeerID, _ topic: Topic, at now: Moment) -> Bool {
        let isFree = backoffs[topic]?[peer].map { $0 + limits.backoffSlack <= now } ?? true
        return isFree && scores.score(of: peer) >= 0
    }

    private mutating func graft(_ added: [PeerID], _ topic: Topic) -> [Directive] {
        added.map { peer in
            admit(peer, topic)
            var rpc = GossipRPC()
            rpc.meshChanges = [.graft(topic)]
            return .send(rpc, to: peer)
        }
    }

    /// Adds a peer to a mesh.
    ///
    /// Messages sent to the mesh just before would otherwise never reach it, since members get no
    /// announcements; so it is marked as behind.
    private mutating func admit(_ peer: PeerID, _ topic: Topic) {
        meshes[topic]?.insert(peer)
        peers[peer]?.isBehind = true
    }

    private mutating func prune(
        _ peer: PeerID,
        _ topic: Topic,
        for backoff: Duration,
        at now: Moment
    ) -> Directive {
        meshes[topic]?.remove(peer)
        backOff(peer, topic, for: backoff, at: now)
        var rpc = GossipRPC()
        let seconds = UInt64(backoff.components.seconds)
        rpc.meshChanges = [.prune(topic, backoffSeconds: seconds)]
        return .send(rpc, to: peer)
    }

    private mutating func expireBackoffs(at now: Moment) {
        for topic in backoffs.keys {
            backoffs[topic] = backoffs[topic]?.filter { $0.value + limits.backoffSlack > now }
        }
        backoffs = backoffs.filter { !$0.value.isEmpty }
    }

    /// Records until when a peer must not be grafted; never shortens an earlier back-off.
    ///
    /// A full list keeps its entries: a peer that returns under new ids must not displace other
    /// peers' back-offs.
    private mutating func backOff(
        _ peer: PeerID,
        _ topic: Topic,
        for backoff: Duration,
        at now: Moment
    ) {
        let until = now + backoff
        let before = backoffs[topic]?[peer] ?? until
        guard
            backoffs[topic]?[peer] != nil
                || backoffs[topic, default: [:]].count < limits.backoffsPerTopicMax
        else { return }
        backoffs[topic, default: [:]][peer] = max(before, until)
    }

    private func tellAll(_ topic: Topic, isWanted: Bool) -> [Directive] {
        var rpc = GossipRPC()
        rpc.subscriptions = [.init(topic: topic, isWanted: isWanted)]
        return peers.keys.sorted().map { .send(rpc, to: $0) }
    }
}
