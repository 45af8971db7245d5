/// What one exchange of records may cost either side.
///
/// Source: Docs/protocol.md, section 9.
package struct ExchangeLimits: Sendable {
    /// Ids in one page, asked for or shown.
    package var pageIDsMax = 1_000
    /// Ids in one want list of this node's.
    package var wantIDsMax = RecordQuestion.wantedMax
    /// Bytes of records in one answer.
    package var batchBytesMax = 256 << 10
    package var recordBytesMax = 65_536
    package var topicBytesMax = 256
    /// Ids a peer may offer and not serve before it is no longer believed.
    package var unprovenMax = 1_000
    /// Records the judge may reject before the exchange is ended.
    package var rejectedMax = 3
    /// What one peer is served with in one exchange; it may come again.
    package var servedBytesMax = 256 << 20
    /// Questions one exchange may put.
    package var questionsMax = 20_000
    /// Questions that one peer may put at once over all links, and how many more each second.
    ///
    /// A set of 100,000 small records takes 500.
    package var questionsBurst = 2_048
    package var questionsPerSecond = 32
    /// Pages of topics that are not served here, asked for in one exchange.
    package var foreignPagesMax = 16
    /// Bytes of records and of ids not held that one exchange takes; the next goes on from there.
    package var fetchedBytesMax = 64 << 20
    /// The same of one peer in an hour, whatever its links, and peers and addresses of which that is
    /// remembered.
    package var hourlyBytesMax = 1 << 30
    package var fetchedPeersMax = 1_024
    /// How many peers' hours all keys of one address have together.
    package var fetchedPerAddress = 4
    /// Ids one exchange looks at.
    package var offeredMax = 500_000
    /// Bytes of records asked for at first; doubled with each answer.
    package var firstBatchBytesMax = 128 << 10

    /// Exchanges this node leads at one time, and those of them kept for peers that were quick
    /// before or that this node dialled.
    package var placesMax = 8
    package var placesReserve = 2
    /// How long a peer keeps its place while others wait: one that was quick before, and any other.
    package var slice = Duration.seconds(5)
    package var firstSlice = Duration.seconds(2)
    /// A peer is slow if it made this node wait for longer than this each time, for fewer bytes a
    /// second.
    package var slowGrace = Duration.seconds(1)
    package var slowBytesPerSecond = 16 << 10
    /// How long a slow peer is left alone: at first, doubled each time, and at most.
    package var slowRetryMin = Duration.seconds(10)
    package var slowRetryMax = Duration.seconds(2_400)
    /// At most so long while most peers are slow: then it may be this node itself.
    package var slowRetryCrowdMax = Duration.seconds(60)
    /// Peers without a link that are remembered to be slow.
    package var slowPeersMax = 1_024

    package init() {}

    /// The longest question.
    package var questionBytesMax: Int { RecordQuestion.wantedMax * 32 + topicBytesMax + 64 }

    /// The longest answer.
    package var answerBytesMax: Int {
        let records = batchBytesMax + wantIDsMax * 8
        let ids = max(pageIDsMax, RecordQuestion.wantedMax) * 32
        return max(records, ids) + topicBytesMax + 64
    }

    /// Stops a configuration whose limits contradict each other.
    package func check() {
        precondition(recordBytesMax <= batchBytesMax, "a batch must hold any record")
        precondition(answerBytesMax <= MessageReader.bytesMax, "no link would hold an answer")
        precondition(pageIDsMax > 0 && wantIDsMax > 0, "an exchange would never end")
        precondition(questionsBurst > 0 && questionsPerSecond > 0, "nothing would be answered")
        precondition(wantIDsMax <= RecordQuestion.wantedMax, "no peer would read the want list")
        precondition(placesReserve < placesMax, "no stranger would ever be asked")
        precondition(fetchedBytesMax <= hourlyBytesMax, "an hour has room for one exchange")
        precondition(
            slowRetryMin <= slowRetryCrowdMax && slowRetryCrowdMax <= slowRetryMax,
            "a slow peer waits longer each time"
        )
    }
}
