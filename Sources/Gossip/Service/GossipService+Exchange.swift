import Logging
import Market

/// Exchanges of missing records: when, with whom, and both sides of each.
extension GossipService {
    static let recordsProtocol = "/stoa/records/1"

    /// Begins the exchanges that are due, as far as there is room.
    func dueExchanges() -> [GossipWork] {
        guard !topics.isEmpty else { return [] }
        let running = table.values.filter(\.isExchanging).count
        let due = table.filter { !$0.value.isExchanging && $0.value.exchangeAfter <= now }
            .sorted { ($0.value.exchangeAfter, $0.key) < ($1.value.exchangeAfter, $1.key) }
        var work: [GossipWork] = []
        for (peer, _) in due.prefix(max(0, settings.exchangesMax - running)) {
            table[peer]?.isExchanging = true
            for topic in topics {
                table[peer]?.exchanges[topic, default: ExchangeStatus()].isRunning = true
            }
            work.append(.exchange(peer, topics.sorted()))
        }
        return work
    }

    func note(
        _ tally: ExchangeTally,
        of topic: Topic,
        with peer: PeerID,
        heldHere: Int,
        isOver: Bool
    ) {
        guard topics.contains(topic), var status = table[peer]?.exchanges[topic] else { return }
        status.tally = tally
        status.isRunning = !isOver
        if isOver {
            status.endedAt = unixTime()
            status.heldHere = heldHere
            counts.fetched += tally.accepted
            GossipMeters.countFetched(tally.accepted)
        }
        table[peer]?.exchanges[topic] = status
        if isOver { tell(.exchanged(peer, topic, status)) }
    }

    func exchangeEnded(with peer: PeerID) {
        let percent = Int(75 + random.next() % 51)
        table[peer]?.isExchanging = false
        table[peer]?.exchangeAfter = now + settings.exchangeInterval * percent / 100
        for topic in table[peer]?.exchanges.keys.sorted() ?? [] {
            table[peer]?.exchanges[topic]?.isRunning = false
        }
    }

    /// Asks a peer for what is missing here, topic after topic on one stream.
    @concurrent
    nonisolated func exchange(with peer: PeerID, on topics: [Topic]) async {
        do {
            let stream = try await links.open(protocols: [Self.recordsProtocol], to: peer)
            var answers = stream.messages(bytesMax: settings.exchange.answerBytesMax)
            let end = ContinuousClock.now + settings.exchangeMax
            for topic in topics {
                guard try await fetch(topic, over: stream, &answers, until: end) else {
                    stream.reset()
                    break
                }
            }
            try await stream.closeWrite()
        } catch LinkError.protocolsRefused {
            // Not every peer is of this program.
        } catch LinkError.messageTooLong {
            await inbox.send(.offended(peer, PeerOffence(.malformed)))
        } catch let error as LinkError {
            logger.debug(
                "exchange ended early",
                metadata: ["peer": "\(peer.text)", "reason": "\(error)"]
            )
        } catch {
            if !Task.isCancelled {
                logger.error("exchange failed here", metadata: ["reason": "\(error)"])
            }
        }
        await inbox.send(.exchangeEnded(peer))
    }

    /// Leads one exchange; `false` where the peer broke its rules, or its time is over.
    private nonisolated func fetch(
        _ topic: Topic,
        over stream: any PeerStream,
        _ answers: inout MessageReader,
        until end: ContinuousClock.Instant
    ) async throws -> Bool {
        let peer = stream.remotePeer
        var exchange = RecordExchange(topic: topic, limits: settings.exchange) {
            try? UnverifiedRecord($0).id  // Bytes that are no record have no id.
        }
        var relayed = 0
        var directives = exchange.handle(.begun)
        while let directive = directives.first {
            switch directive {
            case .ask where ContinuousClock.now >= end:
                // Peers that answer slowly must not take all the places of those that do not.
                await report(exchange, with: peer, isOver: true)
                return false
            case .ask(let question):
                try await stream.writeMessage(question.encoded(), within: settings.writeMax)
                guard let bytes = try await answers.next(within: settings.answerMax) else {
                    throw LinkError.cutOff
                }
                guard let answer = RecordAnswer(decoding: bytes, limits: settings.exchange) else {
                    await inbox.send(.offended(peer, PeerOffence(.malformed)))
                    return false
                }
                directives = exchange.handle(.received(answer))
            case .sift(let ids):
                let sifting = try await shelf.sift(ids, on: topic)
                directives = exchange.handle(
                    .sifted(missing: sifting.missing, refused: sifting.refused)
                )
            case .judge(let records):
                let verdicts = await judge(records, on: topic, from: peer)
                for (record, verdict) in zip(records, verdicts)
                where verdict == .accept && relayed < settings.relayedPerExchangeMax {
                    relayed += 1
                    await inbox.send(.fetched(record.data, on: topic))
                }
                directives = exchange.handle(.judged(verdicts))
                await report(exchange, with: peer, isOver: false)
            case .finish:
                await report(exchange, with: peer, isOver: true)
                return true
            case .stop(let offence):
                await report(exchange, with: peer, isOver: true)
                await inbox.send(.offended(peer, PeerOffence(offence)))
                return false
            }
        }
        return true
    }

    private nonisolated func report(
        _ exchange: RecordExchange,
        with peer: PeerID,
        isOver: Bool
    ) async {
        var heldHere = 0
        if isOver {
            do { heldHere = try await shelf.count(on: exchange.topic) } catch {
                logger.error("records cannot be counted", metadata: ["reason": "\(error)"])
            }
        }
        await inbox.send(
            .exchanged(peer, exchange.topic, exchange.tally, heldHere: heldHere, isOver: isOver)
        )
    }

    /// Judges records beside each other, as many at a time as messages.
    private nonisolated func judge(
        _ records: [RecordExchange.Served],
        on topic: Topic,
        from peer: PeerID
    ) async -> [GossipRouter.Verdict] {
        let origin = await origin(of: peer)
        return await withTaskGroup(of: (Int, GossipRouter.Verdict).self) { [gate] group in
            var verdicts = [GossipRouter.Verdict](repeating: .ignoreForNow, count: records.count)
            for (index, record) in records.enumerated() {
                if index >= settings.judgesMax, let (done, verdict) = await group.next() {
                    verdicts[done] = verdict
                }
                group.addTask { (index, await gate.judge(record.data, on: topic, from: origin)) }
            }
            for await (index, verdict) in group { verdicts[index] = verdict }
            return verdicts
        }
    }

    /// Answers a peer's questions until it has no more, or waits too long with the next.
    @concurrent
    nonisolated func serveRecords(_ stream: any PeerStream) async throws {
        let peer = stream.remotePeer
        try await servings.with(peer) {
            var serving = RecordServing(limits: settings.exchange)
            var questions = stream.messages(bytesMax: settings.exchange.questionBytesMax)
            while let bytes = try await questions.next(within: settings.answerMax) {
                guard
                    let question = RecordQuestion(decoding: bytes, limits: settings.exchange)
                else {
                    await inbox.send(.offended(peer, PeerOffence(.malformed)))
                    throw LinkError.streamReset
                }
                try await answer(question, over: stream, &serving)
            }
        }
    }

    private nonisolated func answer(
        _ question: RecordQuestion,
        over stream: any PeerStream,
        _ serving: inout RecordServing
    ) async throws {
        var directives = serving.handle(.received(question))
        while let directive = directives.first {
            switch directive {
            case .list(let topic, let after, let countMax):
                let ids = try await shelf.ids(on: topic, after: after, countMax: countMax)
                directives = serving.handle(.listed(ids))
            case .load(let topic, let ids, let bytesMax):
                let records = try await shelf.records(ids, on: topic, bytesMax: bytesMax)
                directives = serving.handle(.loaded(records))
            case .answer(let answer):
                return try await stream.writeMessage(
                    answer.encoded(),
                    within: settings.writeMax
                )
            case .stop(let offence):
                await inbox.send(.offended(stream.remotePeer, PeerOffence(offence)))
                throw LinkError.streamReset
            }
        }
    }
}
