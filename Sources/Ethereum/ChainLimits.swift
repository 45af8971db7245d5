/// All limits of this target.
///
/// They bound the data that an untrusted endpoint can make the node store, and the time that it can
/// make it wait. Values that an operator may choose are in ``ChainConfiguration``.
package struct ChainLimits: Sendable {
    /// A limit far above real heights, nonces and gas; an endpoint that exceeds it is at fault.
    static let numberMax: UInt64 = 1 << 48
    /// The last second of the year 9999.
    static let timeSecondsMax: UInt64 = 253_402_300_799
    /// The largest index of a log in a block.
    static let logIndexMax = UInt64(UInt32.max)
    /// The maximum number of values and names in one answer, because a decoder keeps 24 bytes for
    /// each, many times more than the shortest has; 16 MiB of logs have fewer.
    static let answerValuesMax = 1 << 20
    /// The maximum number of names of one object in an answer; headers have fewer than 40.
    static let objectNamesMax = 256

    /// How many hashes of the newest applied blocks are kept to find the start of a reorganisation.
    package var windowBlocksMax = 256
    /// How many blocks are requested at once in the search for the common ancestor.
    package var ancestorBatchMax = 16
    /// The maximum number of blocks of one `eth_getLogs`; see ``RequestSize`` for endpoints that
    /// answer for fewer.
    package var logRangeBlocksMax: UInt64 = 10_000
    package var logRangeBlocksFirst: UInt64 = 2_000
    /// The maximum number of ranges that other endpoints confirm in one poll, so that polls of the
    /// head continue.
    package var confirmQuestionsMax = 16
    /// The time in one poll after which no further range or dispute is checked.
    package var confirmTimeMax: Duration = .seconds(2)
    /// How long an endpoint may take to show its head in a survey, or to confirm a range, before
    /// the next one is asked.
    package var comparisonTimeMax: Duration = .seconds(5)
    /// How long the slow ones may take to confirm ranges in one poll: four answers.
    package var confirmWaitMax: Duration = .seconds(60)
    /// The maximum number of blocks that are remembered because they were read again.
    package var rereadBlocksMax = 4_096
    /// The maximum number of disputes that are checked again in one survey.
    package var disputesReviewedMax = 8
    /// The number of polls in which an endpoint may fail to return a block below its own head;
    /// after them it counts as away.
    package var unknownBlockPollsMax = 5
    /// The number of those polls after which the others are asked first.
    package var unknownBlockPollsKept = 2
    /// The number of passes in a row that end because a block changed between two answers; then the
    /// endpoint is mistrusted.
    package var changedPassesMax = 5
    /// The number of an endpoint's newest blocks that it alone had, less those that others had too;
    /// then it is left.
    package var headsAloneMax = 5
    /// The maximum number of kinds of refusals with unknown words that are logged of one endpoint.
    package var unknownCodesMax = 16
    /// The maximum number of blocks whose logs are asked for again by hash in one pass; for more,
    /// the range is asked for.
    package var doubtedBlocksMax = 16
    /// The maximum number of blocks whose proven times are remembered.
    package var provenTimesMax = 65_536
    /// The maximum number of blocks whose times are remembered because a second endpoint told them,
    /// or the head proved them.
    package var saidTimesMax = 64
    /// The maximum number of blocks whose filters are remembered as an endpoint told them.
    package var saidFiltersMax = 1_024
    /// The maximum number of heads that wait for a second endpoint.
    package var headsUnconfirmedMax = 64
    /// The maximum number of blocks whose times are asked of another endpoint at once, because
    /// their headers do not prove them.
    package var timesAskedMax = 16
    /// The maximum number of differences between contracts and their events that are remembered
    /// because no log explains them.
    package var unexplainedMax = 1_024
    /// The number of passes that wait for logs that blocks' own filters name.
    ///
    /// After them, blocks without such logs count as having none until all blocks are applied.
    package var doubtedPassesMax = 3
    /// The highest chance that a block's filter names a contract wrongly at which the block waits.
    package var doubtedChanceMax = 0.001
    /// The maximum number of logs accepted for one range; a range with more must be divided.
    package var logsMax = 10_000
    /// The maximum number of bytes of one log's data.
    package var logDataBytesMax = 65_536

    /// The maximum number of bytes of one answer, also of a batch, and of one message of a
    /// WebSocket.
    package var answerBytesMax = 16 * 1_024 * 1_024
    /// The same for calls that ask for neither logs, receipts nor blocks, and for each header,
    /// which has the hashes of its transactions: 15,000 of them.
    package var smallAnswerBytesMax = 1_024 * 1_024
    /// The same for the fees of the last blocks.
    package var feeAnswerBytesMax = 65_536
    /// How long the decoding of an answer may take; an endpoint with an answer that takes longer is
    /// asked after the others for a while.
    package var decodingTimeMax: Duration = .seconds(1)
    /// The maximum number of calls in one batch; more are sent in several batches.
    package var batchCallsMax = 100
    /// How long one exchange may take, until its last byte.
    package var answerTimeout: Duration = .seconds(15)
    /// How long a TCP connection may take, and then TLS and the upgrade to a WebSocket.
    package var connectTimeout: Duration = .seconds(5)
    /// The maximum number of requests that are open on one WebSocket; others wait.
    package var socketRequestsMax = 64
    /// How long a WebSocket may be silent before it is pinged; after as long again, it ends.
    package var socketSilenceMax: Duration = .seconds(30)
    /// The longest pause before a WebSocket that failed is opened again.
    package var reconnectLast: Duration = .seconds(15)
    /// The maximum number of bytes of one announcement of a block.
    package var announcementBytesMax = 65_536
    /// The maximum number of announced blocks that wait for the follower; more are dropped, and
    /// read as a gap.
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
    /// The minimum time between two announced blocks that are handled.
    package var announcementPause: Duration = .milliseconds(100)
    /// How long an endpoint of another chain, or one that contradicted itself, is not used.
    package var mistrust: Duration = .seconds(300)
    /// How long an endpoint may be alone on a fork, and is asked last, before it is mistrusted.
    ///
    /// In a reorganisation the endpoints change over one after the other.
    package var forkPatience: Duration = .seconds(60)
    /// How long the only endpoint is not used at first; doubled each time up to ``mistrust``.
    package var mistrustOfOnly: Duration = .seconds(30)
    /// How long until an endpoint that fails again in the same way is logged again.
    package var faultReportedAgain: Duration = .seconds(3_600)
    /// How many blocks an endpoint may be behind the best one and still be used.
    package var lagBlocksMax: UInt64 = 3
    /// A limit above the number of blocks that any chain makes per second of its own time.
    package var blocksPerSecondMax: UInt64 = 10
    /// How many seconds a head's timestamp may be ahead of the wall clock.
    package var headFutureSecondsMax: UInt64 = 900
    /// The maximum number of endpoints of one chain.
    package var endpointsMax = 16

    /// The maximum number of intents of one account that have not ended.
    package var intentsOpenMax = 256
    /// The maximum number of steps of one intent: a change of the price of 20 pieces ends as many
    /// sales and makes as many.
    package var stepsMax = 64
    /// The maximum number of signed attempts for one nonce: the first, speed-ups and a
    /// cancellation.
    package var attemptsMax = 16
    /// How often a step can be mined, or its receipt change, before only one with all confirmations
    /// counts.
    package var minedMax = 16
    /// How long another endpoint than the first one may take to say whether it agrees, and for how
    /// long one that takes longer is asked last: until after the next survey, which asks it again.
    package var voteTimeMax: Duration = .seconds(2)
    package var slowVoterPause: Duration = .seconds(120)
    /// How often the owner of a transaction can change its fee or want a replacement, since each is
    /// journalled.
    package var wishesMax = 32
    /// By how much a tip is raised if a pool refuses it without naming the tip that it wants.
    package var tipRaiseFactor: UInt64 = 4
    /// How long the tip that a pool has asked for is remembered.
    package var tipNeededKept: Duration = .seconds(3_600)
    /// The maximum number of bytes of a step's call data.
    package var callBytesMax = 128 * 1_024
    /// The margin added to a gas estimate, in percent.
    package var gasMarginPercent: UInt64 = 25
    /// How many storage slots can have a value when a call is estimated and none when it is mined:
    /// the credits of the five accounts that the end of a sale pays.
    ///
    /// Source: Docs/contracts.md, section 7.
    package var emptiedPlacesMax: UInt64 = 5
    /// The minimum gas of a call, and the minimum gas of each such slot in it: a read and a change.
    ///
    /// Source: EIP-2929, EIP-2200.
    package var callGasMin: UInt64 = 21_000
    package var changedPlaceGas: UInt64 = 5_000
    /// The minimum extra gas that a new storage slot is assumed to cost compared with a change.
    ///
    /// It is half more than today's price, because an endpoint that does not answer may follow
    /// rules under which a new slot costs more.
    ///
    /// Source: EIP-2200 (17,100 more), EIP-8037.
    package var newPlaceGas: UInt64 = 30_000
    /// The highest answer to that question that counts.
    ///
    /// Source: EIP-8037, with up to 97,920.
    package var newPlaceGasMax: UInt64 = 150_000
    /// How long the answer counts.
    package var newPlaceGasKept: Duration = .seconds(3_600)
    /// The most gas of a transaction on a chain that bounds it without saying where.
    ///
    /// Source: EIP-7825.
    package var transactionGasMax: UInt64 = 1 << 24
    /// How long the bound that a refusal shows is remembered.
    package var transactionGasMaxKept: Duration = .seconds(3_600)
    /// The gas assumed for a token approval that cannot be estimated yet.
    package var approvalGasMax: UInt64 = 150_000
    /// How long a signed transaction stays unmined before its bytes are sent again.
    package var rebroadcast: Duration = .seconds(30)
    /// How long a nonce must count as used without a receipt before it counts as another program's.
    package var nonceLostAfter: Duration = .seconds(120)

    package init() {}

    /// Returns the maximum number of bytes of the answer to a call, or to a batch of such calls.
    func answerBytesMax<Answer>(to call: RPCCall<Answer>, calls: Int = 1) -> Int {
        let most: Int =
            switch call.method {
            case "eth_getLogs", "eth_getTransactionReceipt": answerBytesMax
            case "eth_getBlockByNumber", "eth_getBlockByHash":
                call.parameters.contains(.flag(true)) ? answerBytesMax : smallAnswerBytesMax * calls
            case "eth_feeHistory": feeAnswerBytesMax
            default: smallAnswerBytesMax
            }
        return min(most, answerBytesMax)
    }
}
