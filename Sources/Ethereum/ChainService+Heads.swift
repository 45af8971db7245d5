import Concurrency
import Logging
import Market

/// Follows announced blocks between polls.
extension ChainService {
    private enum Wake {
        case announced(NotifiedHead)
        case timer
    }

    /// Listens to the announcements of the endpoint that is followed, or else of another one.
    func listen(preferring session: EndpointSession) async {
        let before = announcements?.session.name
        announcements = await client.announcements(preferring: session)
        guard announcements?.session.name != before else { return }
        logger.info(
            "new blocks are announced",
            metadata: ["endpoint": "\(announcements?.session.name.description ?? "none")"]
        )
    }

    /// Waits until the next poll is due.
    ///
    /// An announced block wakes it. If the block's hash proves that it has no event, and it is the
    /// next one, it is applied here, and nothing is asked. After a poll that failed or did not find
    /// the announced block, the next poll comes at the interval.
    func waitForPoll() async throws {
        let schedule = PollSchedule(
            interval: configuration.pollInterval,
            limits: configuration.limits
        )
        var announcedAt = polledAt
        let mustWait =
            reportedFailure != nil || !follower.isCaughtUp
            || headBeforeWake != nil && headBeforeWake?.header == watch.head?.header
        headBeforeWake = nil
        while !Task.isCancelled {
            let heads = announcements.flatMap { $0.heads.isEnded ? nil : $0.heads }
            let due = schedule.due(
                after: polledAt,
                announcedAt: heads == nil ? nil : announcedAt,
                isQuiet: isQuiet && !mustWait
            )
            let pause = due - clock.uptime
            guard pause > .zero else { return }
            guard let heads else { return try await clock.wait(pause) }
            guard case .announced(let head) = try await wake(by: heads, within: pause) else {
                continue
            }
            announcedAt = clock.uptime
            let isApplied = try await extend(with: head)
            try await clock.wait(schedule.pause)
            guard isApplied || mustWait else {
                headBeforeWake = watch.head
                return
            }
        }
    }

    /// Whether everything is applied, every block that may have events is confirmed, with the
    /// blocks above it that make it final, and no endpoint was alone on a fork.
    private var isQuiet: Bool {
        guard health == .following, !mustStartOver, ledger.disputes.isEmpty,
            loneForks.alone(at: clock.uptime).isEmpty
        else { return false }
        switch sourceState {
        case .single: return true
        case .confirming:
            let final = eventsUpTo + configuration.confirmations
            return ledger.confirmed.map { $0.number + 1 >= final } ?? false
        case .away, .disagreeing: return false
        }
    }

    private func wake(by heads: HeadSubscription, within pause: Duration) async throws -> Wake {
        try await withThrowingTaskGroup(of: Wake.self) { group in
            group.addTask { await heads.next().map(Wake.announced) ?? .timer }
            group.addTask { [clock] in
                try await clock.wait(pause)
                return .timer
            }
            var wake = try await group.next() ?? .timer
            group.cancelAll()
            // Both can arrive at once, and then no announcement may be lost.
            while let other = await group.nextResult() {
                if case .success(.announced) = other { wake = try other.get() }
            }
            try Task.checkCancellation()
            return wake
        }
    }

    /// Applies an announced block.
    ///
    /// - Returns: `false` if a poll is needed instead.
    private func extend(with head: NotifiedHead) async throws -> Bool {
        guard let session, let source = announcements?.session else { return false }
        count("stoa_chain_heads_announced", 1)
        if case .unreadable(let detail) = head { await client.announced(detail, by: source) }
        guard case .block(let block) = head, source.name == session.name, !mustStartOver,
            await client.isTrusted(session),
            let bloom = block.bloom, !configuration.filter.mayMatch(bloom),
            let directives = follower.extend(with: block.header)
        else { return false }
        let isNews = watch.saw(block.header, at: clock.uptime, wallClockSeconds: wallClockSeconds)
        if isNews, let head = watch.head { try await notify(head) }
        for directive in directives { _ = try await perform(directive, through: session) }
        return true
    }
}
