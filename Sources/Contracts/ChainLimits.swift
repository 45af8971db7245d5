/// All limits of this target.
///
/// They bound what an untrusted endpoint can make the node store or wait for. Values that an
/// operator may choose are in ``ChainConfiguration``.
package struct ChainLimits: Sendable {
    /// A limit far above real heights, nonces and gas; an endpoint that exceeds it is at fault.
    static let numberMax: UInt64 = 1 << 48
    /// The last second of the year 9999.
    static let timeSecondsMax: UInt64 = 253_402_300_799
    /// The largest index of a log in a block.
    static let logIndexMax = UInt64(UInt32.max)

    /// How many hashes of the newest applied blocks are kept to find the start of a reorganisation.
    package var windowBlocksMax = 256
    /// How many blocks are requested at once in the search for the common ancestor.
    package var ancestorBatchMax = 16
    /// The most blocks of one `eth_getLogs`; halved when an endpoint refuses, doubled when not.
    package var logRangeBlocksMax: UInt64 = 10_000
    package var logRangeBlocksFirst: UInt64 = 2_000
    /// The most ranges that other endpoints confirm in one poll, so that polls of the head go on.
    package var confirmQuestionsMax = 16
    /// The time in one poll after which no further range or dispute is checked.
    package var confirmTimeMax: Duration = .seconds(2)
    /// The most disputes that are checked again in one survey.
    package var disputesReviewedMax = 8
    /// The number of polls in which an endpoint may fail to return a block below its own head;
    /// after them it counts as away.
    package var unknownBlockPollsMax = 5
    /// The most logs accepted for one range; a range with more must be divided.
    package var logsMax = 10_000
    /// The most bytes of one log's data.
    package var logDataBytesMax = 65_536

    /// The most bytes of one answer, also of a batch, and of one message of a WebSocket.
    package var answerBytesMax = 16 * 1_024 * 1_024
    /// The most calls in one batch; more are sent in several batches.
    package var batchCallsMax = 100
    /// How long one exchange may take, until its last byte.
    package var answerTimeout: Duration = .seconds(15)
    /// How long a TCP connection may take, and then TLS and the upgrade to a WebSocket.
    package var connectTimeout: Duration = .seconds(5)
    /// The most requests that are open on one WebSocket; others wait.
    package var socketRequestsMax = 64
    /// How long a WebSocket may be silent before it is pinged; after as long again, it ends.
    package var socketSilenceMax: Duration = .seconds(30)
    /// The longest pause before a WebSocket that failed is opened again.
    package var reconnectLast: Duration = .seconds(15)
    /// The most bytes of one announcement of a block.
    package var announcementBytesMax = 65_536
    /// The most announced blocks that wait for the follower; more are dropped, and read as a gap.
    package var headsWaitingMax = 16
    /// The first back-off of a failing endpoint; doubled after each failure up to ``retryLast``.
    package var retryFirst: Duration = .milliseconds(500)
    package var retryLast: Duration = .seconds(60)
    /// The longest pause that an endpoint may ask for.
    package var retryAfterMax: Duration = .seconds(600)
    /// How long a request may wait because of its endpoint's limit; then another one is asked.
    package var paceWaitMax: Duration = .seconds(5)
    /// How long an endpoint that announces blocks may be silent before its head is asked for.
    package var silentPollAfter: Duration = .seconds(60)
    /// The time between polls while blocks are announced and nothing waits to be confirmed.
    package var quietPollMax: Duration = .seconds(180)
    /// The least time between two announced blocks that are handled.
    package var announcementPause: Duration = .milliseconds(100)
    /// How long an endpoint of another chain, or one that contradicted itself, is not used.
    package var mistrust: Duration = .seconds(300)
    /// How long until an endpoint that keeps failing in the same way is logged again.
    package var faultReportedAgain: Duration = .seconds(3_600)
    /// How many blocks an endpoint may be behind the best one and still be used.
    package var lagBlocksMax: UInt64 = 3
    /// A limit above the blocks that any chain makes in a second of its own time.
    package var blocksPerSecondMax: UInt64 = 10
    /// How many seconds a head's timestamp may be ahead of the wall clock.
    package var headFutureSecondsMax: UInt64 = 900
    /// The most endpoints of one chain.
    package var endpointsMax = 16

    /// The most intents of one account that have not ended.
    package var intentsOpenMax = 256
    /// The most steps of one intent.
    package var stepsMax = 8
    /// The most signed attempts for one nonce: the first, speed-ups and a cancellation.
    package var attemptsMax = 16
    /// The most bytes of a step's call data.
    package var callBytesMax = 128 * 1_024
    /// The margin added to a gas estimate, in percent.
    package var gasMarginPercent: UInt64 = 25
    /// The most gas added to a call besides that margin: three writes to storage at 17,100.
    ///
    /// That is what a write costs more if the place has a value at the estimate and is zero when the
    /// call is mined.
    ///
    /// Source: EIP-2200, EIP-2929.
    package var gasOfWritesMax: UInt64 = 51_300
    /// What is added for such writes, in percent of the estimate, if that is less.
    package var gasOfWritesPercent: UInt64 = 60
    /// The gas assumed for a token approval that cannot be estimated yet.
    package var approvalGasMax: UInt64 = 150_000
    /// How long a signed transaction stays unmined before its bytes are sent again.
    package var rebroadcast: Duration = .seconds(30)

    package init() {}
}
