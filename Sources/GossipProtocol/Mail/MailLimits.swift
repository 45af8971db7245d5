/// Bounds on the resources that other peers can make this node's mail service spend.
///
/// The store limits how much waits for one recipient, or of one depositor.
///
/// Source: Docs/protocol.md, section 10.8.
package struct MailLimits: Sendable {
    /// Bytes of one question, an envelope included.
    package var questionBytesMax = 90_000
    /// Bytes of one answer, waiting envelopes included.
    package var answerBytesMax = MessageSplitter.messageBytesMax
    /// Bytes of the waiting envelopes in one answer, without framing.
    package var collectedBytesMax = 256 << 10
    package var collectedMax = 64
    /// Records and bundles in one question or answer.
    package var recordsMax = 20
    package var recordBytesMax = 16_384
    package var bundleBytesMax = 16_384
    /// Questions answered on one stream before it is closed.
    package var questionsMax = 4_096
    /// Streams of one peer, and of all peers.
    package var streamsPerPeerMax = 4
    package var streamsMax = 128
    /// For sending or receiving one question or answer.
    package var exchangeMax = Duration.seconds(20)
    /// How far the clock of an account that asks for a lease may be off.
    package var clockOffMax = Duration.seconds(600)
    /// Guests for which this node is a home.
    package var leasesMax = 10_000
    /// Work for a stranger's deposit and for a lease while the room is empty: 27 ms and 0.2 s.
    ///
    /// In hashes of about 0.2 µs. The work doubles six times until the room is full.
    package var depositWork: UInt64 = 1 << 17
    package var leaseWork: UInt64 = 1 << 20
    /// The most work that this node does for one deposit or lease at another home: 1.7 s and 14 s.
    package var depositWorkMax: UInt64 = 1 << 23
    package var leaseWorkMax: UInt64 = 1 << 26
    /// Ended grants that one device may name.
    package var endedGrantsMax = 256
    /// Logs of a vault: the devices of an account, and some that were revoked.
    package var vaultLogsMax = 64
    /// Look-ups for the questions of all peers about vaults: at once, and more each second.
    ///
    /// A tenth of a core; a vault of 100 segments takes 1,616. Each address has an equal part.
    package var vaultLookUpsBurst = 16_384
    package var vaultLookUpsPerSecond = 65_536
    /// Questions that one peer may ask at once, and how many more each second.
    package var burstMax = 256
    package var questionsPerSecond = 16.0

    package init() {}

    /// Returns the work that a home demands: `base` if its room is empty, 64 times as much if full.
    package func work(_ base: UInt64, takenPercent: Int) -> UInt64 {
        base << UInt64(min(100, max(0, takenPercent)) * 6 / 100)
    }

    /// Returns the work of a stranger's deposit: each of the two shares makes it up to 64 times as
    /// much, and each begun 8 KiB of the envelope costs the same again.
    ///
    /// The second share is this origin's own deposits, so filling the room from few addresses costs
    /// far more than another sender's first message at that time.
    package func depositWork(byteCount: Int, takenPercent: Int, originPercent: Int) -> UInt64 {
        UInt64(Self.places(of: byteCount))
            * work(work(depositWork, takenPercent: takenPercent), takenPercent: originPercent)
    }

    /// Returns how many slots of 8 KiB an envelope takes, at least one.
    static func places(of byteCount: Int) -> Int { max(1, (byteCount + 8_191) / 8_192) }

    /// Stops the program if limits contradict each other.
    package func check() {
        precondition(
            collectedBytesMax + collectedMax * 64 <= answerBytesMax,
            "an answer could not be sent"
        )
        precondition(streamsPerPeerMax <= streamsMax, "one peer may not exceed the whole")
        precondition(
            depositWork(byteCount: 1, takenPercent: 100, originPercent: 0) <= depositWorkMax,
            "this node would not pay what it asks"
        )
        precondition(burstMax >= 1 && questionsPerSecond > 0, "nobody could ever ask")
        precondition(
            recordsMax * bundleBytesMax + recordBytesMax <= answerBytesMax,
            "an account's keys and profile would not fit into an answer"
        )
    }
}

extension MailQuestion {
    /// The maximum length of its answer; 0 for answers that are always short.
    package func answerBytesMax(_ limits: MailLimits) -> Int {
        switch self {
        case .collect, .vault: limits.collectedBytesMax
        case .keys: limits.answerBytesMax
        case .lease, .publish, .deposit, .open, .prove, .acknowledge, .grants, .keep: 0
        }
    }
}
