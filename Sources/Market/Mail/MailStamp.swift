package import Keys

/// A nonce that shows a home some work for one deposit or lease.
///
/// Source: Docs/protocol.md, section 10.12.
package struct MailStamp: Hashable, Sendable {
    /// Never 0, which stands for none on the wire.
    package let nonce: UInt64

    package init?(nonce: UInt64) {
        if nonce == 0 { return nil }
        self.nonce = nonce
    }

    /// Tells whether it is worth at least `work` tries for the subject.
    package func isWorth(_ work: UInt64, for subject: Bytes32) -> Bool {
        Self.proof(for: subject).isDone(by: nonce, tries: work)
    }

    /// Looks for a stamp among `count` nonces from `first`; `nil` if none of them is one.
    ///
    /// The caller goes on behind them, and can give up in between.
    package static func search(
        for subject: Bytes32,
        work: UInt64,
        from first: UInt64,
        count: UInt64
    ) -> MailStamp? {
        proof(for: subject).nonce(tries: work, from: max(1, first), count: count)
            .flatMap { MailStamp(nonce: $0) }
    }

    private static func proof(for subject: Bytes32) -> ProofOfWork {
        ProofOfWork("stoa mail stamp 1", for: subject)
    }
}
