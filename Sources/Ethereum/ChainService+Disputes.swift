import Concurrency
import Market

/// Decides about blocks for which two endpoints have different events.
extension ChainService {
    /// Asks a third endpoint about a difference.
    ///
    /// - Returns: Whether it confirms the applied events, or `false` if it confirms the difference;
    ///   `nil` if no endpoint confirms either.
    func thirdSourceConfirms(
        against difference: LogDifference,
        asked: Set<EndpointName>
    ) async throws -> Bool? {
        let height = difference.block.number
        var asked = asked
        while let third = try await client.another(than: asked) {
            asked.insert(third.name)
            switch try await comparer.answer(of: third, in: height...height) {
            case .same: return true
            case .differs(let found) where found == difference: return false
            case .late: asked.remove(third.name)
            case nil, .differs, .behind, .unknown, .removed, .fork: continue
            }
        }
        return nil
    }

    /// Checks some of the disputed blocks again; the next call continues with the others.
    func reviewDisputes(until end: Duration) async throws {
        let disputes = ledger.disputes
        guard !disputes.isEmpty else { return }
        let start = reviewed % disputes.count
        let due = (disputes[start...] + disputes[..<start])
            .prefix(configuration.limits.disputesReviewedMax)
        for (index, dispute) in due.enumerated() {
            guard index == 0 || clock.uptime < end else { return }
            reviewed = start + index + 1
            guard try await review(dispute) else { return }
        }
    }

    /// Checks a disputed block again.
    ///
    /// - Returns: `false` if no other dispute can be checked now.
    private func review(_ dispute: SourceDispute) async throws -> Bool {
        let height = dispute.block.number
        let ownSources = Set([dispute.source].compactMap { $0 })
        var asked = ownSources
        var found: (difference: LogDifference, by: EndpointSession)?
        while found == nil, let other = try await client.another(than: asked) {
            asked.insert(other.name)
            switch try await comparer.answer(of: other, in: height...height) {
            case .same:
                guard try await isSettled(dispute, by: other) else { return true }
                try await settle(dispute)
                return true
            case .differs(let difference): found = (difference, other)
            case nil, .late, .behind, .unknown, .removed, .fork: continue
            }
        }
        guard let (difference, other) = found else { return asked != ownSources }
        if isProven(difference), let session, session.name != dispute.source {
            try await reread(from: height)
            return false
        }
        let source: EndpointSession? =
            if let name = dispute.source { try await client.session(of: name) } else { nil }
        // The source of the events may agree with the other endpoint by now.
        if let source,
            case .differs(difference) = try await comparer.answer(of: source, in: height...height),
            try await tells(difference, source)
        {
            try await reread(from: height)
            return false
        }
        switch try await thirdSourceConfirms(against: difference, asked: asked) {
        case .some(true):
            await client.mistrust(other, because: Self.otherEvents)
            try await settle(dispute)
        case .some(false):
            if let source { await client.mistrust(source, because: Self.otherEvents) }
            try await reread(from: height)
            return false
        case nil: break
        }
        return true
    }

    /// Returns whether a block's hash proves the time that differs from the applied one; then no
    /// endpoint can give the block the applied time again.
    func isProven(_ difference: LogDifference) -> Bool {
        difference.otherTime.map { $0.seconds == blockTimes.proven(difference.block.hash) } ?? false
    }

    /// Returns whether an endpoint itself gives a block the time that differs from the applied one,
    /// if that is the difference: a comparison goes by proven times without asking for them.
    private func tells(
        _ difference: LogDifference,
        _ session: EndpointSession
    ) async throws -> Bool {
        guard let time = difference.otherTime else { return true }
        do {
            let found = try await comparer.wholeHeaders([difference.block.number], by: session)
            return found.first.flatMap { $0?.timestamp } == time.seconds
        } catch let error as EthereumError where error.isEndpointsFault {
            return false
        }
    }

    /// Returns whether a dispute is settled now that `other` has the applied events.
    ///
    /// If the source of the events is no longer known, `other` may be that source itself, so a
    /// second endpoint must have them too.
    private func isSettled(
        _ dispute: SourceDispute,
        by other: EndpointSession
    ) async throws -> Bool {
        guard dispute.source == nil else { return true }
        guard let second = try await client.another(than: [other.name]) else { return false }
        let height = dispute.block.number
        if case .same = try await comparer.answer(of: second, in: height...height) { return true }
        return false
    }

    private func settle(_ dispute: SourceDispute) async throws {
        ledger.settle(dispute)
        try await keepSources()
    }
}
