/// Everything a stranger can make this node's mail spend.
///
/// How much waits for a recipient or of a depositor is the store's to bound.
///
/// Source: Docs/protocol.md, section 10.8.
package struct MailLimits: Sendable {
    /// One question, an envelope included.
    package var questionBytesMax = 90_000
    /// One answer, so many waiting envelopes included.
    package var answerBytesMax = MessageReader.bytesMax
    /// Waiting envelopes in one answer, their own bytes alone.
    package var collectedBytesMax = 256 << 10
    package var collectedMax = 64
    /// Records and bundles that one question brings or one answer shows.
    package var recordsMax = 20
    package var recordBytesMax = 16_384
    package var bundleBytesMax = 16_384
    /// Questions on one stream before it is closed.
    package var questionsMax = 4_096
    /// Streams of one peer, and of all.
    package var streamsPerPeerMax = 4
    package var streamsMax = 128
    /// For one question or answer to come or go.
    package var exchangeMax = Duration.seconds(20)
    /// How far the clock of who asks for a lease may be off.
    package var clockOffMax = Duration.seconds(600)
    /// Accounts of others whose mail this node keeps.
    package var leasesMax = 10_000
    /// Work for a stranger's deposit and for a lease while there is most room: 27 ms and 0.2 s.
    ///
    /// In hashes of about 0.2 µs. It doubles six times until there is no room.
    package var depositWork: UInt64 = 1 << 17
    package var leaseWork: UInt64 = 1 << 20
    /// The most work that this node does for one deposit or lease elsewhere: 1.7 s and 14 s.
    package var depositWorkMax: UInt64 = 1 << 23
    package var leaseWorkMax: UInt64 = 1 << 26
    /// Ended grants that one device may name.
    package var endedGrantsMax = 256
    /// Questions that one peer may ask at once, and how many more each second.
    package var burstMax = 256
    package var questionsPerSecond = 16.0

    package init() {}

    /// What a home asks for: `base` while nothing of the room is taken, 64 times as much at the end.
    package func work(_ base: UInt64, takenPercent: Int) -> UInt64 {
        base << UInt64(min(100, max(0, takenPercent)) * 6 / 100)
    }

    /// Stops a configuration whose limits contradict each other.
    package func check() {
        precondition(
            collectedBytesMax + collectedMax * 64 <= answerBytesMax,
            "an answer could not be sent"
        )
        precondition(streamsPerPeerMax <= streamsMax, "one peer may not exceed the whole")
        precondition(
            work(depositWork, takenPercent: 100) <= depositWorkMax,
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
    /// The longest answer that it may have, but for what is always short.
    func answerBytesMax(_ limits: MailLimits) -> Int {
        switch self {
        case .collect: limits.collectedBytesMax
        case .keys: limits.answerBytesMax
        case .lease, .publish, .deposit, .open, .prove, .acknowledge, .grants: 0
        }
    }
}
