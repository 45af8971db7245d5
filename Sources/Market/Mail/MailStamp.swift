package import Keys

/// A nonce that proves work to a home, for one deposit or lease.
///
/// Source: Docs/protocol.md, section 10.12.
package struct MailStamp: Hashable, Sendable {
    /// Never 0, which means "none" on the wire.
    package let nonce: UInt64

    package init?(nonce: UInt64) {
        if nonce == 0 { return nil }
        self.nonce = nonce
    }

    /// Whether it proves at least `work` tries for the subject.
    package func isWorth(_ work: UInt64, for subject: Bytes32) -> Bool {
        Self.proof(for: subject).isDone(by: nonce, tries: work)
    }

    /// Searches `count` nonces from `first` for a stamp; `nil` if there is none.
    ///
    /// The caller can then continue after them, or give up.
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
