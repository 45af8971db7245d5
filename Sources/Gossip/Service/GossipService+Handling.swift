import Concurrency
import GossipProtocol
import Logging
import Market

extension GossipService {
    /// Handles one event; returns the work to start as tasks.
    func handle(_ input: GossipInput) async -> [GossipEffect] {
        let before = router.meshes
        var work = offences.takeAll().flatMap { charge($0.peer, $0.offence) }
        work += await take(input)
        tellMeshChanges(since: before)
        return work
    }

    private func take(_ input: GossipInput) async -> [GossipEffect] {
        switch input {
        case .link(let event): return await take(event)
        case .frame(let rpc, let peer, let unusedBytes, let permit):
            var work: [GossipEffect] = []
            if table[peer] == nil { work = await findLink(to: peer) }
            if !rpc.isEmpty { table[peer]?.usefulAt = now }
            work += answerWant(rpc, of: peer)
            work += route(.received(rpc, from: peer, unusedBytes: unusedBytes))
            if router.isExhausted(peer) { heldPermits.append(permit) }
            return work
        case .validated(let id, let verdict):
            count(verdict)
            return route(.validated(id, verdict))
        case .published(let data, let topic):
            gossipCounts.published += 1
            return route(.published(data, on: topic))
        case .fetched(let data, let topic): return route(.fetched(data, on: topic))
        case .joined(let topic):
            topics.insert(topic)
            return route(.joined(topic)) + exchange(.wanted)
        case .left(let topic):
            forget(topic)
            return route(.left(topic))
        case .outboxEnded(let outbox, let isRefused):
            return outboxEnded(outbox, isRefused: isRefused)
        case .dialFailed(let peer, let others):
            return perform(book.handle(.dialFailed(peer, others: others), at: now))
        case .resolved(let peer, let found):
            return perform(book.handle(.resolved(peer, found), at: now))
        case .dialled(let address): return perform(book.handle(.bootstrap(address), at: now))
        case .banned(let peer, let life, let reason):
            return perform(book.handle(.banned(peer, for: life, reason: reason), at: now))
        case .exchanged(let report):
            note(report)
            return []
        case .exchangeWaits(let place, let isSo): return exchangeWaits(place, isSo)
        case .exchangeEnded(let place): return exchangeEnded(place)
        case .receivedPeers(let records, let peer): return receivedPeers(records, from: peer)
        case .askedPeers(let peer):
            table[peer]?.isAskingPeers = false
            return []
        case .notesKept:
            isKeepingNotes = false
            return []
        case .heartbeat:
            showLevels()
            heldPermits = []
            for peer in uses.takeAll() { table[peer]?.usefulAt = now }
            return route(.heartbeat) + perform(book.handle(.tick, at: now)) + exchange(.tick)
                + duePeerQuestions() + dueNotes() + endUseless()
        }
    }

    private func forget(_ topic: Topic) {
        topics.remove(topic)
        for peer in table.keys {
            table[peer]?.exchanges[topic] = nil
            table[peer]?.positions[topic] = nil
        }
    }

    func route(_ event: GossipRouter.Event) -> [GossipEffect] {
        defer { encoded = nil }
        return router.handle(event, at: now).flatMap { perform($0) }
    }

    func perform(_ directives: [PeerBook.Directive]) -> [GossipEffect] {
        directives.compactMap { directive in
            switch directive {
            case .dial(let peer, let addresses):
                return .dial(peer, addresses, within: book.patience(with: peer))
            case .resolve(let peer, let names):
                return .resolve(peer, names, isOwn: book.isOwn(peer))
            case .banned(let peer, let reason):
                logger.info(
                    "peer banned",
                    metadata: ["peer": "\(peer.text)", "reason": "\(reason)"]
                )
                gossipCounts.bans += 1
                GossipMeters.countBan(of: "peer")
                tell(.banned(peer, reason: reason))
                return nil
            case .bannedAddress(let group, let reason):
                logger.info(
                    "address banned",
                    metadata: ["address": "\(group)", "reason": "\(reason)"]
                )
                gossipCounts.addressBans += 1
                GossipMeters.countBan(of: "address")
                return nil
            case .refuse(let groups):
                links.bannedAddresses.set(groups)
                return nil
            case .disconnect(let peer, let reason): return .disconnect(peer, .offended(reason))
            case .keep(let peer):
                changedNotes.insert(peer)
                return nil
            case .keepBan(let group):
                changedBans.insert(group)
                return nil
            }
        }
    }

    func charge(_ peer: PeerID, _ offence: PeerOffence) -> [GossipEffect] {
        gossipCounts.offences[offence.name, default: 0] += 1
        GossipMeters.count(offence)
        logger.debug(
            "peer at fault",
            metadata: ["peer": "\(peer.text)", "offence": "\(offence.name)"]
        )
        return perform(book.handle(.offended(peer, offence), at: now))
    }

    private func perform(_ directive: GossipRouter.Directive) -> [GossipEffect] {
        switch directive {
        case .send(let rpc, let peer): return send(rpc, to: peer)
        case .validate(let message, let id, let peer):
            let origin = RecordOrigin(peer, in: router.group(of: id))
            let job = PendingValidation(id: id, message: message, origin: origin)
            return jobs.offer(job) ? [] : route(.validated(id, .ignoreForNow))
        case .note(let peer, let offence): return charge(peer, PeerOffence(offence))
        }
    }

    /// Encodes a message once for all its recipients; their outboxes share the bytes.
    private func frames(of rpc: GossipRPC) -> [[UInt8]] {
        if let encoded, encoded.rpc == rpc { return encoded.frames }
        let frames = rpc.frames(limits: settings.gossip)
        encoded = (rpc, frames)
        return frames
    }

    private func send(_ rpc: GossipRPC, to peer: PeerID) -> [GossipEffect] {
        guard let link = table[peer], !link.isGivenUp else { return [] }
        let outbox = link.outbox
        let isNeeded = !rpc.subscriptions.isEmpty || !rpc.meshChanges.isEmpty
        for (index, frame) in frames(of: rpc).enumerated() {
            // The first frame contains everything that is not a message.
            let isKept = index == 0 && isNeeded ? outbox.insist(frame) : outbox.offer(frame)
            if isKept { continue }
            gossipCounts.framesDropped += 1
            table[peer]?.framesDropped += 1
            GossipMeters.countDrop()
            _ = router.handle(.dropped(peer), at: now)
            guard index == 0, isNeeded else { continue }
            table[peer]?.isGivenUp = true
            return charge(peer, .slowReader) + [.disconnect(peer, .offended("slow_reader"))]
        }
        return []
    }

    /// Ends links on which the peer neither asks nor answers anything useful.
    ///
    /// This node's own questions, if the peer refuses each, would otherwise keep such a link open
    /// for ever. A peer that takes this node's gossip and wants one of its topics is kept.
    private func endUseless() -> [GossipEffect] {
        let useless = table.filter { peer, link in
            let isHearing = !link.isMute && !router.topics(of: peer).isDisjoint(with: topics)
            return !isHearing && link.usefulAt + settings.uselessMax <= now
        }
        return useless.keys.sorted().map { peer in
            // Ends the link once only, even if that takes longer than a heartbeat.
            table[peer]?.usefulAt = now
            GossipMeters.countUseless()
            return .disconnect(peer, .idle)
        }
    }

    private func showLevels() {
        GossipMeters.countCrowdedOut(router.crowdedOutCount - crowdedOutShown)
        crowdedOutShown = router.crowdedOutCount
        let balance = outboxes.balance
        GossipMeters.show(
            outboxBytes: balance.held,
            unaccountedBytes: balance.held - balance.sum,
            exchanges: schedule.running.count,
            bannedPeers: book.banned(at: now).count,
            bannedAddresses: book.bannedAddresses(at: now).count
        )
        guard balance.held != balance.sum else { return }
        logger.error(
            "outbox byte counts disagree",
            metadata: ["held": "\(balance.held)", "sum": "\(balance.sum)"]
        )
    }

    private func count(_ verdict: Verdict) {
        switch verdict {
        case .accept: gossipCounts.accepted += 1
        case .reject: gossipCounts.rejected += 1
        case .ignore, .ignoreForNow: gossipCounts.ignored += 1
        }
        GossipMeters.count(verdict)
    }

    private func tellMeshChanges(since before: [Topic: Set<PeerID>]) {
        guard before != router.meshes else { return }
        for (topic, mesh) in router.meshes {
            let old = before[topic] ?? []
            for peer in mesh.subtracting(old).sorted() { tell(.meshed(peer, topic)) }
            for peer in old.subtracting(mesh).sorted() { tell(.unmeshed(peer, topic)) }
        }
        for (topic, mesh) in before where router.meshes[topic] == nil {
            for peer in mesh.sorted() { tell(.unmeshed(peer, topic)) }
        }
    }
}
