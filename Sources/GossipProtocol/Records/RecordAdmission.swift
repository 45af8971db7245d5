package import Keys
package import Market

/// Decides whether free records are validated and stored now, by the amount that their origin and
/// author sent.
///
/// Pure: the caller passes in the time. It outlives links, so that a new link gives no new
/// allowance.
///
/// Source: Docs/protocol.md, section 4.11.
package struct RecordAdmission: Sendable {
    private var open: FairBudget<RecordOrigin>
    private var authors: FairBudget<Address>
    private var waiting: FairBudget<RecordOrigin>
    private var passedOn: FairBudget<RecordOrigin>
    /// Counted in checks, not bytes.
    private var checks: FairBudget<RecordOrigin>

    package init(limits: RecordAdmissionLimits = RecordAdmissionLimits()) {
        open = FairBudget(limits: limits.open)
        authors = FairBudget(limits: limits.author)
        waiting = FairBudget(limits: limits.waiting)
        passedOn = FairBudget(limits: limits.passedOn)
        checks = FairBudget(limits: limits.checks)
    }

    /// Admits an open record, before its signature is checked.
    package mutating func admitOpen(
        _ byteCount: Int,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        open.admit(byteCount, of: origin, at: now)
    }

    /// Admits an open record whose author's signature is valid.
    ///
    /// Forged records thus do not use up the author's allowance.
    package mutating func admitSigned(
        _ byteCount: Int,
        by author: Address,
        at now: Moment
    ) -> Bool {
        authors.admit(byteCount, of: author, at: now)
    }

    /// Admits a record that waits for its sale to appear on the chain.
    package mutating func admitWaiting(
        _ byteCount: Int,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        waiting.admit(byteCount, of: origin, at: now)
    }

    /// Whether a record's signature may be checked now.
    ///
    /// Its sender could repeat a record that is neither stored nor remembered for free, as often as
    /// it likes.
    package mutating func admitCheck(from origin: RecordOrigin, at now: Moment) -> Bool {
        checks.hasRoom(for: 1, of: origin, at: now)
    }

    /// Counts a signature check whose record was not taken.
    package mutating func countFailedCheck(from origin: RecordOrigin, at now: Moment) {
        // Several checks may have run for the last slot; then nothing more is taken.
        _ = checks.admit(1, of: origin, at: now)
    }

    /// Whether a stored open record is forwarded too.
    ///
    /// All records that this node forwards count against it at the next node. So it forwards at
    /// most what the next node admits, and divides that fairly: a flood costs only its own origin.
    package mutating func admitForwarding(
        _ byteCount: Int,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        passedOn.admit(byteCount, of: origin, at: now)
    }
}
