/// Limits of a ``FairBudget``.
package struct FairBudgetLimits: Sendable {
    /// Bytes regained per second: by all subnets together, and by one at most.
    package var bytesPerSecond: Int
    package var shareBytesPerSecond: Int
    /// Bytes that one address may use at once.
    package var allowanceBytes: Int
    /// The part of the allowance that an address of a new subnet has; less if more than half of the
    /// newcomers' pool is used.
    package var firstBytes: Int
    package var newcomersBytes: Int
    package var newcomersBytesPerSecond: Int
    /// Subnets that are remembered; for each of them as many addresses.
    package var keysMax: Int
    /// The allowance of a subnet, as a multiple of that of one address.
    package let addressesOfSubnet = 2
    /// Seconds in which the recorded use of a newcomer falls to 37 % if it uses nothing more.
    package let newcomersMemory = 200.0

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

    /// Whether nothing distinguishes those that come first.
    var areNewcomersKnown: Bool { firstBytes >= allowanceBytes }

    func check() {
        precondition(bytesPerSecond > 0 && shareBytesPerSecond > 0, "nothing would come back")
        precondition(firstBytes <= allowanceBytes, "a part is no more than the whole")
        precondition(keysMax > 1 && newcomersBytes > 0, "there is something for newcomers")
    }
}

/// Limits of the free records that other peers make this node validate and store.
///
/// Source: Docs/protocol.md, section 4.11; Docs/limits.md, section 1.
package struct RecordAdmissionLimits: Sendable {
    /// Open records, by origin.
    ///
    /// A profile has about 350 bytes, so a link can bring 3,000 at once. All origins together get
    /// eight times the rate of one: a flood that enters the network at eight nodes still leaves the
    /// others room for what those nodes forward.
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
    /// Open records that are forwarded, by origin.
    ///
    /// In the long run as many bytes as the next node admits from this one.
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
    /// They are stored too, for a day.
    package var waiting = FairBudgetLimits(
        bytesPerSecond: 1 << 20,
        shareBytesPerSecond: 256 << 10,
        allowanceBytes: 8 << 20,
        firstBytes: 2 << 20,
        newcomersBytes: 64 << 20,
        newcomersBytesPerSecond: 256 << 10,
        keysMax: 4_096
    )
    /// Failed signature checks, by origin.
    ///
    /// A check takes 0.13 ms of a core, so all together use a thirtieth of one.
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
