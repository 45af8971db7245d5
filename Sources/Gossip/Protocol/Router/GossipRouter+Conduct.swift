package import Market

/// What peers may make the router do for nothing, and what of it is an offence.
///
/// An honest peer stays far below each of these bounds; a peer beyond one is charged once a
/// heartbeat. If this node's own heartbeat is late, each bound is for the time that has passed.
extension GossipRouter {
    mutating func renewAllowances(at now: Moment) {
        allowances.renew(after: newCount, at: now)
        newCount = 0
    }

    /// A message that was here before: a mesh brings each a few times from every peer.
    mutating func noteDuplicate(by peer: PeerID, topic: Topic) -> [Directive] {
        scores.noteDuplicate(by: peer, topic: topic)
        allowances[peer].duplicates -= 1
        guard allowances[peer].duplicates == -1 else { return [] }
        return charge(peer, .tooManyDuplicates)
    }

    /// Whether a frame changes nothing here: it is empty, or of topics that are not joined.
    ///
    /// Messages are counted in another way; of a peer that takes no gossip nothing else is minded.
    func saysNothing(_ rpc: GossipRPC, by peer: PeerID) -> Bool {
        let known = peers[peer]?.topics ?? []
        let isMute = peers[peer]?.isMute == true
        return rpc.messages.isEmpty && (isMute || rpc.wanted.isEmpty)
            && rpc.announcements.allSatisfy { isMute || meshes[$0.topic] == nil }
            && rpc.meshChanges.allSatisfy { isMute || meshes[$0.topic] == nil }
            && rpc.subscriptions.allSatisfy {
                meshes[$0.topic] == nil && $0.isWanted == known.contains($0.topic)
            }
    }

    /// Whether a peer has used up an allowance that is renewed at each heartbeat.
    ///
    /// Until then nothing more is read of it.
    package func isExhausted(_ peer: PeerID) -> Bool {
        let allowance = allowances[peer]
        return allowance.deliveries <= 0 || allowance.duplicates < 0
            || allowance.announcements > limits.announcementsPerHeartbeatMax
            || allowance.asked >= limits.askedPerHeartbeatMax
            || allowance.unknownAsked > limits.unknownAskedPerHeartbeatMax
            || allowance.servedBytes >= limits.servedBytesPerHeartbeatMax
            || allowance.changes > limits.changesPerHeartbeatMax
    }

    mutating func noteEmptyFrame(by peer: PeerID) -> [Directive] {
        scores.noteEmptyFrame(by: peer)
        allowances[peer].emptyFrames += 1
        let bound = limits.emptyFramesPerHeartbeatMax * allowances.beats
        switch allowances[peer].emptyFrames {
        case bound + 1: return charge(peer, .emptyFrames)
        case bound * 10: return charge(peer, .emptyFlood)
        default: return []
        }
    }

    /// Counts bytes of a peer's frames that say nothing, which cost time to read all the same.
    mutating func noteUnused(_ byteCount: Int, by peer: PeerID) -> [Directive] {
        guard byteCount > 0, peers[peer] != nil else { return [] }
        let bound = limits.unusedBytesPerHeartbeatMax * allowances.beats
        let before = allowances[peer].unusedBytes
        allowances[peer].unusedBytes += byteCount
        return before <= bound && before + byteCount > bound ? charge(peer, .unusedBytes) : []
    }

    /// Counts what a peer says of its topics and meshes; `false` if it says too much to be minded.
    mutating func takeChanges(
        of rpc: GossipRPC,
        by peer: PeerID,
        _ directives: inout [Directive]
    ) -> Bool {
        let count = rpc.subscriptions.count + rpc.meshChanges.count
        guard count > 0 else { return true }
        let before = allowances[peer].changes
        let bound = limits.changesPerHeartbeatMax * allowances.beats
        allowances[peer].changes += count
        guard before + count > bound else { return true }
        if before <= bound { directives += charge(peer, .tooManyChanges) }
        return false
    }

    /// Answers an IWANT from the cache, within what one peer may cost between two heartbeats.
    ///
    /// What was here and is gone may honestly be asked for; what never was may not.
    mutating func serve(
        _ ids: [MessageID],
        to peer: PeerID,
        answer: inout GossipRPC
    ) -> [Directive] {
        guard !ids.isEmpty else { return [] }
        var allowance = allowances[peer]
        defer { allowances[peer] = allowance }
        let before = allowance.unknownAsked
        // A frame has a cost of its own, even if it holds few ids.
        allowance.asked += max(0, limits.askedPerFrameMin - ids.count)
        for id in ids {
            guard allowance.asked < limits.askedPerHeartbeatMax,
                allowance.servedBytes < limits.servedBytesPerHeartbeatMax
            else { break }
            allowance.asked += 1
            if let message = cache.serve(id, to: peer) {
                allowance.servedBytes += message.data.count
                answer.messages.append(message)
            } else if !seen.contains(id) {
                allowance.unknownAsked += 1
            }
        }
        let unknown = allowance.unknownAsked
        if unknown > before { scores.noteUnknownAsked(by: peer, count: unknown - before) }
        let bound = limits.unknownAskedPerHeartbeatMax * allowances.beats
        guard before <= bound, unknown > bound else { return [] }
        return charge(peer, .unknownAsked)
    }

    mutating func charge(_ peer: PeerID, _ offence: Offence) -> [Directive] {
        scores.noteMisconduct(by: peer)
        return [.note(peer, offence)]
    }
}
