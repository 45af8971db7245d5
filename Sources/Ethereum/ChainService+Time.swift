import Concurrency
import Market

/// Decides which block the chain's time goes by.
///
/// Source: Docs/operations.md, section 5.5.
extension ChainService {
    /// Records the head of the endpoint that is followed.
    func see(
        _ header: BlockHeader,
        through session: EndpointSession,
        isSurvey: Bool
    ) async throws {
        if await client.isHeadProven(of: session) { blockTimes.note(header) }
        let isDoubtful = await client.isHeadDoubtful(of: session)
        var isConfirmed = false
        if isSurvey || isDoubtful {
            isConfirmed = try await comparer.requireTime(of: header, through: session)
        }
        let before = watch.head
        _ = watch.saw(header, at: clock.uptime, wallClockSeconds: wallClockSeconds)
        if isConfirmed { watch.confirm(header) }
        if let head = watch.head, head != before { try await notify(head) }
    }

    /// Has the chain's time go by the newest head that a second endpoint has too.
    ///
    /// While no second endpoint answers, it goes by the newest head.
    func confirmTime(through session: EndpointSession) async throws {
        let before = watch.head
        watch.needsSecond = configuration.endpoints.count > 1 && sourceState != .away
        if let confirmed = ledger.confirmed,
            let header = watch.unconfirmed(upTo: confirmed.number),
            follower.mark(at: header.number) == header.id,
            try await isTimeSaid(of: header, through: session)
        {
            watch.confirm(header)
        }
        if let head = watch.head, head != before { try await notify(head) }
    }

    /// Returns whether a block's hash proves its time, or a second endpoint gives it the same.
    private func isTimeSaid(
        of header: BlockHeader,
        through session: EndpointSession
    ) async throws -> Bool {
        if blockTimes.told(header.id.hash) == header.timestamp { return true }
        return try await comparer.requireTime(of: header, through: session)
    }
}
