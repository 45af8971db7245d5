import Logging
import Market

extension GossipService {
    /// Handles one event; what waits for somebody is answered as work to start.
    func handle(_ input: GossipInput) async -> [GossipWork] {
        let before = router.meshes
        let work = await take(input)
        tellMeshChanges(since: before)
        return work
    }

    private func take(_ input: GossipInput) async -> [GossipWork] {
        switch input {
        case .link(let event): return await take(event)
        case .frame(let rpc, let peer):
            var work: [GossipWork] = []
            if table[peer] == nil { work = await findLink(to: peer) }
            return work + answerWish(rpc, of: peer) + route(.received(rpc, from: peer))
        case .judged(let id, let verdict):
            count(verdict)
            return route(.judged(id, verdict))
        case .published(let data, let topic):
            counts.published += 1
            return route(.published(data, on: topic))
        case .fetched(let data, let topic): return route(.fetched(data, on: topic))
        case .joined(let topic):
            topics.insert(topic)
            for peer in table.keys { table[peer]?.exchangeAfter = now }
            return route(.joined(topic)) + dueExchanges()
        case .left(let topic):
            topics.remove(topic)
            for peer in table.keys { table[peer]?.exchanges[topic] = nil }
            return route(.left(topic))
        case .offended(let peer, let offence): return charge(peer, offence)
        case .lineEnded(let line, let isRefused): return lineEnded(line, isRefused: isRefused)
        case .dialFailed(let peer): return perform(book.handle(.dialFailed(peer), at: now))
        case .dialled(let address): return perform(book.handle(.bootstrap(address), at: now))
        case .banned(let peer, let life, let reason):
            return perform(book.handle(.banned(peer, for: life, reason: reason), at: now))
        case .exchanged(let peer, let topic, let tally, let heldHere, let isOver):
            note(tally, of: topic, with: peer, heldHere: heldHere, isOver: isOver)
            return []
        case .exchangeEnded(let peer):
            exchangeEnded(with: peer)
            return dueExchanges()
        case .told(let records, let peer): return told(records, by: peer)
        case .askedPeers(let peer):
            table[peer]?.isAskingPeers = false
            return []
        case .notesKept:
            isKeepingNotes = false
            return []
        case .heartbeat:
            return route(.heartbeat) + perform(book.handle(.tick, at: now)) + dueExchanges()
                + duePeerQuestions() + dueNotes()
        }
    }

    func route(_ event: GossipRouter.Event) -> [GossipWork] {
        router.handle(event, at: now).flatMap { perform($0) }
    }

    func perform(_ directives: [PeerBook.Directive]) -> [GossipWork] {
        directives.map { directive in
            switch directive {
            case .dial(let peer, let addresses): return .dial(peer, addresses)
            case .disconnect(let peer, let reason):
                logger.info(
                    "peer banned",
                    metadata: ["peer": "\(peer.text)", "reason": "\(reason)"]
                )
                counts.bans += 1
                tell(.banned(peer, reason: reason))
                return .disconnect(peer, reason: reason)
            case .keep(let peer):
                changedNotes.insert(peer)
                return .keep([])
            }
        }
        .filter { if case .keep(let notes) = $0 { !notes.isEmpty } else { true } }
    }

    func charge(_ peer: PeerID, _ offence: PeerOffence) -> [GossipWork] {
        counts.offences[offence.name, default: 0] += 1
        GossipMeters.count(offence)
        logger.debug(
            "peer at fault",
            metadata: ["peer": "\(peer.text)", "offence": "\(offence.name)"]
        )
        return perform(book.handle(.offended(peer, offence), at: now))
    }

    private func perform(_ directive: GossipRouter.Directive) -> [GossipWork] {
        switch directive {
        case .send(let rpc, let peer): return send(rpc, to: peer)
        case .judge(let message, let id, let peer):
            let job = GossipJob(id: id, message: message, origin: origin(of: peer))
            return jobs.offer(job) ? [] : route(.judged(id, .ignoreForNow))
        case .note(let peer, let offence): return charge(peer, PeerOffence(offence))
        }
    }

    private func send(_ rpc: GossipRPC, to peer: PeerID) -> [GossipWork] {
        guard let line = table[peer]?.line else { return [] }
        let isNeeded = !rpc.subscriptions.isEmpty || !rpc.meshChanges.isEmpty
        for (index, frame) in rpc.frames(limits: settings.gossip).enumerated() {
            // What is not a message comes in the first frame.
            let isKept = index == 0 && isNeeded ? line.insist(frame) : line.offer(frame)
            if isKept { continue }
            counts.framesDropped += 1
            table[peer]?.framesDropped += 1
            GossipMeters.countDrop()
            _ = router.handle(.dropped(peer), at: now)
            guard index == 0, isNeeded else { continue }
            return charge(peer, .slowReader) + [.disconnect(peer, reason: "slow_reader")]
        }
        return []
    }

    private func count(_ verdict: GossipRouter.Verdict) {
        switch verdict {
        case .accept: counts.accepted += 1
        case .reject: counts.rejected += 1
        case .ignore, .ignoreForNow: counts.ignored += 1
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
