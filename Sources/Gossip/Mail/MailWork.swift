import Keys
import Market

/// Computes the proofs of work that homes demand from senders without a grant.
enum MailWork {
    /// Tries between two checks for cancellation; they take about a millisecond.
    private static let stepCount: UInt64 = 4_096

    /// Searches for a proof of `work` for the subject.
    ///
    /// - Throws: `CancellationError`
    @concurrent
    static func proof(of work: UInt64, for subject: Bytes32) async throws -> MailStamp {
        var first: UInt64 = 1
        while true {
            try Task.checkCancellation()
            let found = MailStamp.search(for: subject, work: work, from: first, count: stepCount)
            if let found { return found }
            first += stepCount
            await Task.yield()
        }
    }
}
