import GossipProtocol
import Market

extension Simulation {
    mutating func beginExchange(_ node: Int, _ other: Int) {
        guard faults.hasExchange, !nodes[node].isLiar,
            !sessions.values.contains(where: { $0.asker == node && $0.server == other })
        else { return }
        sessionCount += 1
        let exchange = RecordExchange(topic: SimNode.topic, limits: SimNode.exchangeLimits) {
            SimRecord.id($0)
        }
        sessions[sessionCount] = Session(
            asker: node,
            server: other,
            exchange: exchange,
            serving: RecordServing(limits: SimNode.exchangeLimits)
        )
        step(sessionCount, .begun)
    }

    mutating func serve(_ id: Int, _ bytes: [UInt8]) {
        guard let session = sessions[id] else { return }
        if nodes[session.server].isLiar { return serveLies(id) }
        let limits = SimNode.exchangeLimits
        guard let question = RecordQuestion(decoding: bytes, limits: limits) else {
            breaches.append("an honest node asks what cannot be read")
            return
        }
        var directives = sessions[id]?.serving.handle(.received(question)) ?? []
        while let directive = directives.first {
            let node = nodes[session.server]
            switch directive {
            case .list(_, let after, let countMax):
                let ids = node.ids(after: after, countMax: countMax)
                directives = sessions[id]?.serving.handle(.listed(ids)) ?? []
            case .load(_, let ids, let bytesMax):
                let records = node.records(ids, bytesMax: bytesMax)
                directives = sessions[id]?.serving.handle(.loaded(records)) ?? []
            case .answer(let answer):
                reply(answer, in: id)
                directives = []
            case .stop(let offence):
                sessions[id] = nil
                charge(PeerOffence(offence), to: session.asker, by: session.server)
                directives = []
            }
        }
    }

    mutating func advance(_ id: Int, _ bytes: [UInt8]) {
        guard let session = sessions[id] else { return }
        guard let answer = RecordAnswer(decoding: bytes, limits: SimNode.exchangeLimits) else {
            sessions[id] = nil
            return charge(PeerOffence(.malformed), to: session.server, by: session.asker)
        }
        step(id, .received(answer))
    }

    /// The disk has what was fetched.
    mutating func keep(_ records: [RecordExchange.Served], _ id: Int) {
        guard let asker = sessions[id]?.asker else { return }
        var verdicts: [Verdict] = []
        for record in records {
            guard SimRecord.isValid(record.data) else {
                verdicts.append(.reject)
                continue
            }
            verdicts.append(.accept)
            let isNew = !nodes[asker].knows(record.data)
            nodes[asker].keep(record.data)
            if isNew { route(.fetched(record.data, on: SimNode.topic), at: asker) }
        }
        step(id, .validated(verdicts))
    }

    mutating func reply(_ answer: RecordAnswer, in id: Int) {
        guard let asker = sessions[id]?.asker else { return }
        schedule(.answer(session: id, answer.encoded()), at: asker, in: 1 + roll(faults.delayMax))
    }

    private mutating func step(_ id: Int, _ event: RecordExchange.Event) {
        guard let session = sessions[id] else { return }
        var directives = sessions[id]?.exchange.handle(event) ?? []
        while let directive = directives.first {
            directives = []
            switch directive {
            case .ask(let question):
                schedule(
                    .question(session: id, question.encoded()),
                    at: session.server,
                    in: 1 + roll(faults.delayMax)
                )
            case .compare(let ids):
                let missing = ids.filter { nodes[session.asker].durable[$0] == nil }
                directives =
                    sessions[id]?.exchange.handle(.compared(missing: missing, refused: 0)) ?? []
            case .validate(let records):
                schedule(
                    .fetched(session: id, records),
                    at: session.asker,
                    in: 1 + roll(faults.syncMax)
                )
            case .finish: sessions[id] = nil
            case .stop(let offence):
                sessions[id] = nil
                charge(PeerOffence(offence), to: session.server, by: session.asker)
            }
        }
    }
}
