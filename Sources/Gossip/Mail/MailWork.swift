import Keys
import Market

/// Does the work that homes ask of strangers.
enum MailWork {
    /// Between two looks at whether the task is cancelled; about a millisecond.
    private static let stepCount: UInt64 = 4_096

    /// A proof of `work` for the subject, found by trying.
    ///
    /// - Throws: `CancellationError`
    @concurrent
    static func proof(of work: UInt64, for subject: Bytes32) async throws -> MailStamp {
        var first: UInt64 = 1
        while true {
            try Task.checkCancellation()
            let found = MailStamp.search(
                for: subject,
                work: work,
                from: first,
                count: stepCount
            )
            if let found { return found }
            first += stepCount
            await Task.yield()
        }
    }
}
