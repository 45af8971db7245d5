package import Market

/// Limits on the work that peers cause without benefit, and the offences of exceeding them.
///
/// An honest peer stays far below each limit; a peer that exceeds one is charged once per
/// heartbeat. If this node's own heartbeat is late, each limit is scaled to the time that has
/// passed.
extension GossipRouter {
    mutating func renewAllowances(at now: Moment) {
        allowances.renew(after: newCount, at: now)
        newCount = 0
    }

    /// Counts a duplicate; a mesh delivers each message a few times from every peer.
    mutating func noteDuplicate(by peer: PeerID, topic: Topic) -> [Directive] {
        scores.noteDuplicate(by: peer, topic: topic)
        allowances[peer].duplicates -= 1
        guard allowances[peer].duplicates == -1 else { return [] }
        return charge(peer, .tooManyDuplicates)
    }

    /// Whether a frame has no effect here: it is empty, or about topics that are not joined.
    ///
    /// Messages are counted separately. Of a muted peer only messages and subscriptions matter.
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
    /// Until the renewal its frames are not read.
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

    /// Counts bytes without effect in a peer's frames, since reading them costs time.
    mutating func noteUnused(_ byteCount: Int, by peer: PeerID) -> [Directive] {
        guard byteCount > 0, peers[peer] != nil else { return [] }
        let bound = limits.unusedBytesPerHeartbeatMax * allowances.beats
        let before = allowances[peer].unusedBytes
        allowances[peer].unusedBytes += byteCount
        return before <= bound && before + byteCount > bound ? charge(peer, .unusedBytes) : []
    }

    /// Counts a peer's subscriptions and mesh changes; `false` if there are too many to handle.
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

    /// Answers an IWANT from the cache, within the peer's allowance per heartbeat.
    ///
    /// An honest peer may ask for a message that has left the cache, but not for one that was never
    /// here.
    mutating func serve(
        _ ids: [MessageID],
        to peer: PeerID,
        answer: inout GossipRPC
    ) -> [Directive] {
        guard !ids.isEmpty else { return [] }
        var allowance = allowances[peer]
        defer { allowances[peer] = allowance }
        let before = allowance.unknownAsked
        // Each frame has a fixed cost, even with few ids.
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
