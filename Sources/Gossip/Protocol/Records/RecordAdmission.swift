package import Keys
package import Market

/// Decides whether records that cost nothing are judged and kept now, by how much of them the same
/// origin and author have brought lately.
///
/// Pure: it is told the time. It outlives links, so that a new link brings no new allowance.
///
/// Source: Docs/protocol.md, section 4.11.
package struct RecordAdmission: Sendable {
    private var open: FairBudget<RecordOrigin>
    private var authors: FairBudget<Address>
    private var waiting: FairBudget<RecordOrigin>
    private var passedOn: FairBudget<RecordOrigin>
    /// In checks, not bytes.
    private var checks: FairBudget<RecordOrigin>

    package init(limits: RecordAdmissionLimits = RecordAdmissionLimits()) {
        open = FairBudget(limits: limits.open)
        authors = FairBudget(limits: limits.author)
        waiting = FairBudget(limits: limits.waiting)
        passedOn = FairBudget(limits: limits.passedOn)
        checks = FairBudget(limits: limits.checks)
    }

    /// An open record, before its signature is looked at.
    package mutating func admitOpen(
        _ byteCount: Int,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        open.admit(byteCount, of: origin, at: now)
    }

    /// An open record that its author has signed: forged ones do not use up its allowance.
    package mutating func admitSigned(
        _ byteCount: Int,
        by author: Address,
        at now: Moment
    ) -> Bool {
        authors.admit(byteCount, of: author, at: now)
    }

    /// A record that waits for its sale to be seen.
    package mutating func admitWaiting(
        _ byteCount: Int,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        waiting.admit(byteCount, of: origin, at: now)
    }

    /// Whether a record's signature is checked now.
    ///
    /// A record that is then not taken, and not remembered, can be sent again as often as its
    /// sender likes, at no cost to him.
    package mutating func admitCheck(from origin: RecordOrigin, at now: Moment) -> Bool {
        checks.hasRoom(for: 1, of: origin, at: now)
    }

    /// Counts a check of a signature that came to nothing.
    package mutating func countVainCheck(from origin: RecordOrigin, at now: Moment) {
        // Several may have been under way for the last place; then nothing more is taken off.
        _ = checks.admit(1, of: origin, at: now)
    }

    /// Whether an open record that is kept here is passed on, too.
    ///
    /// All that this node passes on counts for it at the next one, so it passes on no more than
    /// those let it bring, and chooses fairly: a flood costs its own origin.
    package mutating func admitPassingOn(
        _ byteCount: Int,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        passedOn.admit(byteCount, of: origin, at: now)
    }
}
