/// How much a ``FairBudget`` gives.
package struct FairBudgetLimits: Sendable {
    /// What comes back in a second, to all together and to one.
    package var bytesPerSecond: Int
    package var shareBytesPerSecond: Int
    /// What one may use at once.
    package var allowanceBytes: Int
    /// The part of it that a newcomer has at once, as far as the newcomers' pool goes.
    package var firstBytes: Int
    package var newcomersBytes: Int
    package var newcomersBytesPerSecond: Int
    /// How many are remembered.
    package var keysMax: Int

    package init(
        bytesPerSecond: Int,
        shareBytesPerSecond: Int,
        allowanceBytes: Int,
        firstBytes: Int,
        newcomersBytes: Int,
        newcomersBytesPerSecond: Int,
        keysMax: Int
    ) {
        self.bytesPerSecond = bytesPerSecond
        self.shareBytesPerSecond = shareBytesPerSecond
        self.allowanceBytes = allowanceBytes
        self.firstBytes = firstBytes
        self.newcomersBytes = newcomersBytes
        self.newcomersBytesPerSecond = newcomersBytesPerSecond
        self.keysMax = keysMax
    }

    func check() {
        precondition(bytesPerSecond > 0 && shareBytesPerSecond > 0, "nothing would come back")
        precondition(firstBytes <= allowanceBytes, "a part is no more than the whole")
        precondition(keysMax > 1, "there is one for newcomers")
    }
}

/// What strangers may make this node judge and keep of records that cost nothing.
///
/// Source: Docs/protocol.md, section 4.11; Docs/operations.md, section 3.3.
package struct RecordAdmissionLimits: Sendable {
    /// Open records, by origin.
    ///
    /// A profile has about 350 bytes, so that a link brings 3,000 at once. All together get eight
    /// times what one gets: a flood that enters the network at eight nodes still leaves the others
    /// room for what those nodes pass on.
    package var open = FairBudgetLimits(
        bytesPerSecond: 131_072,
        shareBytesPerSecond: 16_384,
        allowanceBytes: 1 << 20,
        firstBytes: 128 << 10,
        newcomersBytes: 8 << 20,
        newcomersBytesPerSecond: 16_384,
        keysMax: 4_096
    )
    /// Open records, by author: the longest listing twice, or all profiles and devices of a day.
    package var author = FairBudgetLimits(
        bytesPerSecond: 1 << 20,
        shareBytesPerSecond: 128,
        allowanceBytes: 128 << 10,
        firstBytes: 128 << 10,
        newcomersBytes: 512 << 20,
        newcomersBytesPerSecond: 512 << 20,
        keysMax: 16_384
    )
    /// Open records that are passed on, by origin: in the long run as much as the next node lets
    /// this one bring.
    package var passedOn = FairBudgetLimits(
        bytesPerSecond: 16_384,
        shareBytesPerSecond: 16_384,
        allowanceBytes: 256 << 10,
        firstBytes: 32 << 10,
        newcomersBytes: 8 << 20,
        newcomersBytesPerSecond: 1_024,
        keysMax: 4_096
    )
    /// Records that name a sale not seen yet, by origin.
    ///
    /// They are durable as well, and stay a day.
    package var waiting = FairBudgetLimits(
        bytesPerSecond: 1 << 20,
        shareBytesPerSecond: 256 << 10,
        allowanceBytes: 8 << 20,
        firstBytes: 2 << 20,
        newcomersBytes: 64 << 20,
        newcomersBytesPerSecond: 256 << 10,
        keysMax: 4_096
    )
    /// Signatures checked for nothing, by origin: a check takes 0.13 ms of a core, so that all
    /// together get a thirtieth of one.
    package var checks = FairBudgetLimits(
        bytesPerSecond: 256,
        shareBytesPerSecond: 32,
        allowanceBytes: 1_024,
        firstBytes: 256,
        newcomersBytes: 16_384,
        newcomersBytesPerSecond: 32,
        keysMax: 4_096
    )

    package init() {}
}
