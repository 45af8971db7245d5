import Concurrency
import GossipProtocol
import Logging
import Market

/// Exchanges of missing records: their schedule, and the asking side.
extension GossipService {
    static let recordsProtocol = "/stoa/records/1"

    /// Passes an event to the schedule, and performs its directives.
    func exchange(_ event: ExchangeSchedule.Event) -> [GossipEffect] {
        schedule.handle(event, at: now).compactMap { directive in
            switch directive {
            case .begin(let peer): return begin(with: peer)
            case .revoke(let peer):
                places[peer]?.revoke()
                GossipMeters.countRevocation()
                return nil
            }
        }
    }

    private func begin(with peer: PeerID) -> GossipEffect? {
        for topic in topics {
            table[peer]?.exchanges[topic, default: ExchangeStatus()].isRunning = true
        }
        let group = table[peer].flatMap { AddressGroup(of: $0.info.address) }
        let place = ActiveExchange(
            peer: peer,
            group: group,
            topics: topics.sorted(),
            positions: table[peer]?.positions ?? [:],
            fetchedBytesMax: fetched.level(of: peer, at: group, now: now),
            clock: clock
        )
        places[peer] = place
        return .exchange(place)
    }

    func note(_ report: ExchangeReport) {
        let peer = report.place.peer
        if report.isOver {
            gossipCounts.fetched += report.accepted
            GossipMeters.countFetched(report.accepted)
        }
        // If the link has ended, and perhaps opened again, the report is not of this link.
        guard places[peer] === report.place else { return }
        if report.place.result.isAnswered { table[peer]?.usefulAt = now }
        guard topics.contains(report.topic), var status = table[peer]?.exchanges[report.topic]
        else { return }
        status.counts = report.counts
        status.isRunning = !report.isOver
        if report.isOver {
            status.endedAt = unixTime()
            status.heldHere = report.heldHere
        }
        table[peer]?.exchanges[report.topic] = status
        if report.isOver { tell(.exchanged(peer, report.topic, status)) }
    }

    func exchangeEnded(_ place: ActiveExchange) -> [GossipEffect] {
        let peer = place.peer
        let result = place.result
        fetched.drain(result.fetchedBytes, of: peer, at: place.group, now: now)
        GossipMeters.countFetchedBytes(result.fetchedBytes)
        let isSlow = result.isSlow(by: settings.exchange)
        if isSlow { GossipMeters.countSlowExchange() }
        // If the link has ended, and perhaps opened again, the result is not of this link; only the
        // peer's slowness still counts.
        guard places[peer] === place else { return isSlow ? exchange(.wasSlow(peer)) : [] }
        places[peer] = nil
        for topic in table[peer]?.exchanges.keys.sorted() ?? [] {
            table[peer]?.exchanges[topic]?.isRunning = false
        }
        table[peer]?.positions = result.positions
        if result.isAnswered { table[peer]?.usefulAt = now }
        // A stopped exchange resumes when its turn comes. One that delivered nothing, or whose
        // hourly budget is used up, resumes at the next interval.
        let isPaused = place.isRevoked || (result.isBounded && result.accepted > 0)
        let hour = fetched.level(of: peer, at: place.group, now: now)
        let hasHour = hour >= settings.exchange.batchBytesMax
        let outcome = ExchangeSchedule.Outcome(isPaused: isPaused && hasHour, isSlow: isSlow)
        return exchange(.ended(peer, outcome))
    }

    func exchangeWaits(_ place: ActiveExchange, _ isSo: Bool) -> [GossipEffect] {
        guard places[place.peer] === place else { return [] }
        return exchange(.keepsWaiting(place.peer, isSo))
    }

    /// Asks a peer for missing records, and reports to the service while the peer keeps it waiting.
    @concurrent
    nonisolated func exchange(in place: ActiveExchange) async {
        await withTaskGroup { group in
            group.addTask { await self.watch(place) }
            await self.lead(place)
            group.cancelAll()
        }
        await inbox.send(.exchangeEnded(place))
    }

    private nonisolated func watch(_ place: ActiveExchange) async {
        var keepsWaiting = false
        // The wait ends with an error only if it is cancelled.
        while (try? await clock.wait(settings.exchange.placeCheckInterval)) != nil {
            let isSo = place.waitingTime >= settings.exchange.placeGrace
            if isSo != keepsWaiting { await inbox.send(.exchangeWaits(place, isSo)) }
            keepsWaiting = isSo
        }
    }

    /// Asks a peer for missing records, topic after topic on one stream.
    private nonisolated func lead(_ place: ActiveExchange) async {
        let peer = place.peer
        do {
            let stream = try await open(for: place)
            var answers = stream.messages(bytesMax: settings.exchange.answerBytesMax)
            let end = Deadline(after: settings.exchangeMax, on: clock)
            for topic in place.topics {
                guard try await fetch(topic, in: place, over: stream, &answers, until: end) else {
                    stream.reset()
                    break
                }
            }
            try await stream.closeWrite()
        } catch LinkError.protocolsRefused {
            // Not every peer is a Stoa node.
        } catch LinkError.full(.bytes) {
            // Too many bytes wait in this node just now; records already received are kept.
            place.noteBound()
        } catch let error as LinkError {
            if error.isOfPeersFrames, error != .cutOff {
                offences.note(PeerOffence(.malformed), by: peer)
            }
            logger.debug(
                "exchange ended early",
                metadata: ["peer": "\(peer.text)", "reason": "\(error)"]
            )
        } catch {
            if !Task.isCancelled { errors.note(error, of: "exchange records") }
        }
    }

    /// Opens the stream, unless the exchange is revoked before it is open.
    private nonisolated func open(for place: ActiveExchange) async throws -> any PeerStream {
        try await place.waiting(for: nil) {
            try await withThrowingTaskGroup(of: (any PeerStream)?.self) { [links] group in
                group.addTask {
                    try await links.open(protocols: [Self.recordsProtocol], to: place.peer)
                }
                group.addTask {
                    _ = await place.revocation.receive()
                    return nil
                }
                defer { group.cancelAll() }
                guard let first = try await group.next(), let stream = first else {
                    throw LinkError.timedOut
                }
                return stream
            }
        }
    }

    /// Exchanges one topic; `false` if the peer broke a rule, or time is up, or it was revoked.
    private nonisolated func fetch(
        _ topic: Topic,
        in place: ActiveExchange,
        over stream: any PeerStream,
        _ answers: inout MessageReader,
        until end: Deadline
    ) async throws -> Bool {
        let before = place.result
        var exchange = RecordExchange(
            topic: topic,
            limits: settings.exchange,
            goingOnFrom: before.positions[topic],
            fetchedBytesMax: place.fetchedBytesMax - before.fetchedBytes
        ) {
            try? UnverifiedRecord($0).id  // Bytes that are no record have no id.
        }
        var relayed = 0
        var directives = exchange.handle(.begun)
        while let directive = directives.first {
            place.note(exchange, after: before)
            switch directive {
            case .ask where place.isRevoked || end.hasPassed:
                // Peers that answer slowly must not occupy all the slots.
                if !place.isRevoked { place.noteBound() }
                await report(exchange, in: place, isOver: true)
                return false
            case .ask(let question):
                guard let answer = try await ask(question, in: place, over: stream, &answers)
                else { return false }
                directives = exchange.handle(.received(answer))
            case .compare(let ids):
                directives = exchange.handle(try await compare(ids, on: topic))
            case .validate(let records):
                let verdicts = await validate(records, on: topic, in: place, relayed: &relayed)
                directives = exchange.handle(.validated(verdicts))
                await report(exchange, in: place, isOver: false)
            case .finish:
                if !exchange.counts.isComplete { place.noteBound() }
                await report(exchange, in: place, isOver: true)
                return true
            case .stop(let offence):
                await report(exchange, in: place, isOver: true)
                offences.note(PeerOffence(offence), by: place.peer)
                return false
            }
        }
        return true
    }

    /// Asks one question; `nil` if the answer is malformed, with which the peer is charged.
    private nonisolated func ask(
        _ question: RecordQuestion,
        in place: ActiveExchange,
        over stream: any PeerStream,
        _ answers: inout MessageReader
    ) async throws -> RecordAnswer? {
        let bytes = try await place.waiting(for: stream) {
            try await stream.writeMessage(question.encoded(), within: settings.writeMax)
            guard let bytes = try await answers.next(within: settings.answerMax) else {
                throw LinkError.cutOff
            }
            place.noteAnswer(bytes.count)
            return bytes
        }
        let answer = RecordAnswer(decoding: bytes, limits: settings.exchange)
        if answer == nil { offences.note(PeerOffence(.malformed), by: place.peer) }
        return answer
    }

    private nonisolated func compare(
        _ ids: [RecordID],
        on topic: Topic
    ) async throws -> RecordExchange.Event {
        let comparison = try await source.compare(ids, on: topic)
        return .compared(missing: comparison.missing, refused: comparison.refused)
    }

    private nonisolated func report(
        _ exchange: RecordExchange,
        in place: ActiveExchange,
        isOver: Bool
    ) async {
        var heldHere = 0
        if isOver {
            await errors.item("count records") {
                heldHere = try await source.count(on: exchange.topic)
            }
        }
        let report = ExchangeReport(
            place: place,
            topic: exchange.topic,
            counts: exchange.counts,
            accepted: exchange.accepted,
            heldHere: heldHere,
            isOver: isOver
        )
        await inbox.send(.exchanged(report))
    }

    /// Validates records, and passes the first accepted ones on to the mesh.
    private nonisolated func validate(
        _ records: [RecordExchange.Served],
        on topic: Topic,
        in place: ActiveExchange,
        relayed: inout Int
    ) async -> [Verdict] {
        let verdicts = await validate(records, on: topic, from: place.peer)
        for (record, verdict) in zip(records, verdicts)
        where verdict == .accept && relayed < settings.relayedPerExchangeMax {
            relayed += 1
            await inbox.send(.fetched(record.data, on: topic))
        }
        return verdicts
    }

    /// Validates records in parallel, with the same limit as messages.
    private nonisolated func validate(
        _ records: [RecordExchange.Served],
        on topic: Topic,
        from peer: PeerID
    ) async -> [Verdict] {
        let origin = await origin(of: peer)
        return await withTaskGroup(of: (Int, Verdict).self) { [validator] group in
            var verdicts = [Verdict](repeating: .ignoreForNow, count: records.count)
            for (index, record) in records.enumerated() {
                if index >= settings.validationsMax, let (done, verdict) = await group.next() {
                    verdicts[done] = verdict
                }
                group.addTask {
                    (index, await validator.validate(record.data, on: topic, from: origin))
                }
            }
            for await (index, verdict) in group { verdicts[index] = verdict }
            return verdicts
        }
    }
}
