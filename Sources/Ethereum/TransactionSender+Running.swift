package import Concurrency

/// The work of a sender while it runs.
extension TransactionSender {
    /// Sends and watches transactions until cancelled.
    ///
    /// Endpoints may fail. After an error of the journal, the listener or the hook, the queue may
    /// differ from the record: the sender reads the journal again after a pause, or ends with the
    /// error if `errors` is `nil`.
    package func run(errors: LoopErrors? = nil) async throws {
        defer { watchers.finish() }
        guard let errors else { return try await send() }
        var hasFailed = false
        try await errors.restarting {
            if hasFailed { try await readAgain() }
            hasFailed = true
            try await send()
        }
    }

    /// Rebuilds the queue from the journal, and reports every intent.
    private func readAgain() async throws {
        var recorded: [JournalEntry]
        var begun: Int
        repeat {
            // Entries that are recorded during the read can be missing in the result.
            while entriesUnderWay > 0 { try await clock.wait(.milliseconds(100)) }
            begun = entriesBegun
            recorded = try await journal.entries(account: account, chain: chain)
        } while entriesBegun != begun
        let abandoned = queue.abandoned
        queue = SendQueue(
            account: account,
            chain: chain,
            pace: configuration.pace,
            fees: configuration.fees,
            limits: configuration.limits,
            journal: recorded
        )
        queue.abandon(allBut: Set(queue.order).subtracting(abandoned))
        watchers.send(snapshot)
        for id in queue.order { try await tellProgress(of: id) }
    }

    private func send() async throws {
        let limits = configuration.limits
        let outgoingMax = limits.intentsOpenMax * limits.attemptsMax
        let (stream, continuation) = AsyncStream.makeStream(
            of: OutgoingTransaction.self,
            bufferingPolicy: .bufferingOldest(outgoingMax)
        )
        (outgoing, beingSent) = (continuation, [])
        defer { outgoing = nil }
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.beat() }
            group.addTask { try await self.work() }
            group.addTask { try await self.send(stream) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Sends transactions to the endpoints; an endpoint that does not answer delays nothing else.
    private func send(_ stream: AsyncStream<OutgoingTransaction>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await outgoing in stream {
                group.addTask { try await self.sendToAll(outgoing) }
            }
        }
    }

    /// Sends a transaction to every endpoint that is usable now, to all at once.
    ///
    /// An endpoint can accept a transaction without passing it on, so one acceptance does not make
    /// the other endpoints superfluous. The first acceptance counts as soon as it arrives; without
    /// one, what all answers amount to.
    private func sendToAll(_ sent: OutgoingTransaction) async throws {
        defer { beingSent.remove(sent.attempt.hash) }
        let client = client
        let indices = await client.usableEndpoints
        try await withThrowingTaskGroup(of: SendQueue.SendAnswer.self) { group in
            for index in indices {
                group.addTask { try await client.send(sent.attempt, to: index) }
            }
            var answers: [SendQueue.SendAnswer] = []
            for try await answer in group where !answers.contains(.taken) {
                answers.append(answer)
                if answer == .taken { note(answer, to: sent) }
            }
            if !answers.contains(.taken) { note(.best(of: answers), to: sent) }
        }
    }

    private func note(_ answer: SendQueue.SendAnswer, to sent: OutgoingTransaction) {
        answers.append(.sent(sent.slot, sent.attempt.hash, answer))
        wake.yield()
    }

    private func beat() async throws {
        while !Task.isCancelled {
            wake.yield()
            try await clock.wait(configuration.pollInterval)
        }
    }

    private func work() async throws {
        var nextSearch = clock.uptime
        for await _ in wakes {
            while !answers.isEmpty { _ = try await drive(answers.removeFirst()) }
            if try await drive(.tick) { wake.yield() }
            guard clock.uptime >= nextSearch else { continue }
            nextSearch = clock.uptime + configuration.pollInterval * Self.searchPolls
            try await takeUntold()
        }
    }
}
