import GossipProtocol
import Market

extension Simulation {
    mutating func handle(_ event: SimEvent) {
        let node = event.node
        trace.add(event.time)
        trace.add(node)
        if case .start = event.kind { return start(node) }
        guard nodes[node].isRunning, event.epoch == nodes[node].epoch else { return }
        switch event.kind {
        case .start: break
        case .heartbeat:
            route(.heartbeat, at: node)
            schedule(.heartbeat, at: node, in: 950 + roll(100))
        case .frame(let rpc, let from): receive(rpc, at: node, from: from)
        case .synced(let id, let data):
            nodes[node].keep(data)
            route(.validated(id, .accept), at: node)
        case .rejected(let id): route(.validated(id, .reject), at: node)
        case .publish(let data):
            nodes[node].keep(data)
            if let id = SimRecord.id(data) { published[id] = data }
            route(.published(data, on: SimNode.topic), at: node)
        case .question(let session, let bytes): serve(session, bytes)
        case .answer(let session, let bytes): advance(session, bytes)
        case .fetched(let session, let records): keep(records, session)
        case .exchange:
            for other in nodes[node].links.sorted() { beginExchange(node, other) }
            schedule(.exchange, at: node, in: 8_000 + roll(4_000))
        case .crash: crash(node)
        case .link(let other): link(node, other)
        case .unlink(let other): route(.disconnected(SimNode.peer(other)), at: node)
        case .lie: lie(node)
        }
    }

    private mutating func start(_ node: Int) {
        nodes[node].epoch += 1
        nodes[node].isRunning = true
        nodes[node].router = SimNode.router(seed: random.next())
        route(.joined(SimNode.topic), at: node)
        for other in neighbours[node].sorted() { tryLink(node, other) }
        schedule(.heartbeat, at: node, in: roll(1_000))
        schedule(.exchange, at: node, in: 4_000 + roll(8_000))
        if nodes[node].isLiar { schedule(.lie, at: node, in: 300) }
    }

    /// The process ends: what the disk had not synced is gone, and so is all it knew.
    private mutating func crash(_ node: Int) {
        for other in nodes[node].links.sorted() { unlink(node, other) }
        nodes[node].isRunning = false
        nodes[node].epoch += 1
        schedule(.start, at: node, in: 500 + roll(4_000))
    }

    private mutating func link(_ node: Int, _ other: Int) {
        guard nodes[node].links.contains(other) else { return }
        route(.connected(SimNode.peer(other), isOutbound: node < other), at: node)
        beginExchange(node, other)
    }

    private mutating func receive(_ rpc: GossipRPC, at node: Int, from other: Int) {
        guard nodes[node].links.contains(other) else { return }
        if nodes[node].isLiar { return spoil(rpc, at: node) }
        route(.received(rpc, from: SimNode.peer(other)), at: node)
    }

    mutating func route(_ event: GossipRouter.Event, at node: Int) {
        for directive in nodes[node].router.handle(event, at: now) {
            switch directive {
            case .send(let rpc, let peer): send(rpc, from: node, to: SimNode.number(of: peer))
            case .validate(let message, let id, _): validate(message.data, id, at: node)
            case .note(let peer, let offence):
                charge(PeerOffence(offence), to: SimNode.number(of: peer), by: node)
            }
        }
        let mesh = nodes[node].router.mesh(of: SimNode.topic).count
        let sizeMax = SimNode.limits.meshSizeHigh + SimNode.limits.meshOutbound + nodes.count
        if mesh > sizeMax { breaches.append("node \(node) has \(mesh) peers in its mesh") }
    }

    /// Takes what is good to the disk, which answers later, perhaps never.
    private mutating func validate(_ data: [UInt8], _ id: MessageID, at node: Int) {
        if !SimRecord.isValid(data) {
            schedule(.rejected(id), at: node, in: 1 + roll(5))
        } else if nodes[node].knows(data) {
            route(.validated(id, .ignore), at: node)
        } else {
            schedule(.synced(id, data), at: node, in: 1 + roll(faults.syncMax))
        }
    }

    mutating func charge(_ offence: PeerOffence, to other: Int, by node: Int) {
        let peer = SimNode.peer(other)
        _ = nodes[node].book.handle(.offended(peer, offence), at: now)
        guard nodes[node].book.ban(of: peer, at: now) != nil else { return }
        if !nodes[other].isLiar, !nodes[node].isLiar {
            breaches.append("node \(node) banned honest node \(other): \(offence.name)")
        }
        unlink(node, other)
    }

    /// Puts a frame on its way, if the network likes; what an honest node sends is looked at.
    mutating func send(_ rpc: GossipRPC, from node: Int, to other: Int) {
        guard nodes[node].links.contains(other) else { return }
        if !nodes[node].isLiar {
            for message in rpc.messages {
                if !SimRecord.isValid(message.data) {
                    breaches.append("node \(node) passed on what is not valid")
                }
                if !nodes[node].knows(message.data) {
                    breaches.append("node \(node) passed on what its disk has not")
                }
            }
        }
        trace.add(rpc.messages.count << 16 | rpc.wanted.count << 8 | rpc.announcements.count)
        // Subscriptions are never dropped: a peer that cannot take them is unlinked.
        if rpc.subscriptions.isEmpty, happens(faults.lossPercent) { return }
        schedule(.frame(rpc, from: node), at: other, in: 1 + roll(faults.delayMax))
        if happens(faults.duplicatePercent) {
            schedule(.frame(rpc, from: node), at: other, in: 1 + roll(faults.delayMax))
        }
    }
}
