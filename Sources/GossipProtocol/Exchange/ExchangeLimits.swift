/// Bounds on the cost of one exchange of records for either side.
///
/// Source: Docs/protocol.md, section 9.
package struct ExchangeLimits: Sendable {
    /// Ids in one page, for either side.
    package var pageIDsMax = 1_000
    /// Ids in one want list of this node.
    package var wantIDsMax = RecordQuestion.wantedMax
    /// Bytes of records in one answer.
    package var batchBytesMax = 256 << 10
    package var recordBytesMax = 65_536
    package var topicBytesMax = 256
    /// Ids a peer may offer without serving their records before it is charged.
    package var unprovenMax = 1_000
    /// Records the validator may reject before the exchange ends.
    package var rejectedMax = 3
    /// Bytes served to one peer in one exchange; it may start another.
    package var servedBytesMax = 256 << 20
    /// Questions asked in one exchange.
    package var questionsMax = 20_000
    /// Questions that one peer may ask at once over all links, and how many more each second.
    ///
    /// A set of 100,000 small records takes 500.
    package var questionsBurst = 2_048
    package var questionsPerSecond = 32
    /// Look-ups for the questions of all peers together: at once, and more each second.
    ///
    /// A fifth of a core, and enough for 100,000 records a second. Each address has an equal part.
    package var lookUpsBurst = 16_384
    package var lookUpsPerSecond = 131_072
    /// The number of missing ids that one peer may want at once over all links, and the time for
    /// one more.
    ///
    /// An honest peer wants records that this node offered before, few of which have been removed
    /// since.
    package var unheldBurst = 1_024
    package var unheldInterval = Duration.milliseconds(250)
    /// Pages that may be requested in one exchange of topics not served here.
    package var foreignPagesMax = 16
    /// Bytes of records, and of missing ids, fetched in one exchange; the next one resumes there.
    package var fetchedBytesMax = 64 << 20
    /// The same for one peer per hour, over all its links; below, peers and addresses remembered.
    package var hourlyBytesMax = 1 << 30
    package var fetchedPeersMax = 1_024
    /// The hourly limit of one address, as a multiple of that of one peer.
    package var fetchedPerAddress = 4
    /// Ids that one exchange compares.
    package var offeredMax = 500_000
    /// Bytes of records requested at first; doubled with each answer.
    package var firstBatchBytesMax = 128 << 10

    /// Exchanges that this node leads at one time, and how many of these slots are reserved.
    ///
    /// The reserved slots are for peers that were quick before or that this node dialled.
    package var placesMax = 8
    package var placesReserve = 2
    /// How long a peer may keep this node waiting for an answer before it loses its slot for that
    /// time, how often that is checked, and how many may continue without a slot.
    package var placeGrace = Duration.milliseconds(150)
    package var placeCheckInterval = Duration.milliseconds(50)
    package var placelessMax = 64
    /// How long a peer keeps its slot while others wait: a peer that was quick before; any other.
    package var slice = Duration.seconds(5)
    package var firstSlice = Duration.seconds(2)
    /// A peer is slow if it exceeds this wait on average and stays below this rate.
    package var slowGrace = Duration.seconds(1)
    package var slowBytesPerSecond = 16 << 10
    /// How long a slow peer is not asked: the first time, doubled each time, and at most.
    package var slowRetryMin = Duration.seconds(10)
    package var slowRetryMax = Duration.seconds(2_400)
    /// The maximum while most peers are slow, since this node itself may be the slow one.
    package var slowRetryCrowdMax = Duration.seconds(60)
    /// Slow peers without a link that are remembered.
    package var slowPeersMax = 1_024

    package init() {}

    /// The length of the longest question.
    package var questionBytesMax: Int { RecordQuestion.wantedMax * 32 + topicBytesMax + 64 }

    /// The length of the longest answer.
    package var answerBytesMax: Int {
        let records = batchBytesMax + wantIDsMax * 8
        let ids = max(pageIDsMax, RecordQuestion.wantedMax) * 32
        return max(records, ids) + topicBytesMax + 64
    }

    /// Stops the program if limits contradict each other.
    package func check() {
        precondition(recordBytesMax <= batchBytesMax, "a batch must hold any record")
        precondition(
            answerBytesMax <= MessageSplitter.messageBytesMax,
            "no link would hold an answer"
        )
        precondition(pageIDsMax > 0 && wantIDsMax > 0, "an exchange would never end")
        precondition(questionsBurst > 0 && questionsPerSecond > 0, "nothing would be answered")
        precondition(lookUpsBurst > 0 && lookUpsPerSecond > 0, "nothing would be looked up")
        precondition(
            unheldBurst > RecordQuestion.wantedMax && unheldInterval > .zero,
            "a peer would be at fault for one want list"
        )
        precondition(wantIDsMax <= RecordQuestion.wantedMax, "no peer would read the want list")
        precondition(placesReserve < placesMax, "no stranger would ever be asked")
        precondition(fetchedBytesMax <= hourlyBytesMax, "an hour has room for one exchange")
        precondition(
            slowRetryMin <= slowRetryCrowdMax && slowRetryCrowdMax <= slowRetryMax,
            "a slow peer waits longer each time"
        )
    }
}
