/// Every bound of this target, in one place.
///
/// What a stranger's endpoint can make us hold or wait for is bounded here; what an operator may
/// choose lies in ``ChainConfiguration``.
package struct ChainLimits: Sendable {
    /// Heights, nonces and gas of a chain stay far below; an endpoint that says more is at fault.
    static let numberMax: UInt64 = 1 << 48
    /// The last second of the year 9999.
    static let timeSecondsMax: UInt64 = 253_402_300_799
    /// Logs of one block.
    static let logIndexMax = UInt64(UInt32.max)

    /// Hashes of the newest applied blocks, kept to find where a reorganisation began.
    package var windowBlocksMax = 256
    /// Marks asked for at once when the common ancestor is looked for.
    package var ancestorBatchMax = 16
    /// The most blocks of one `eth_getLogs`; halved when an endpoint refuses, doubled when not.
    package var logRangeBlocksMax: UInt64 = 10_000
    package var logRangeBlocksFirst: UInt64 = 2_000
    /// Ranges that other endpoints are asked about in one poll, so that heads and events go on.
    package var confirmQuestionsMax = 16
    /// After so long, no further range and no further dispute is asked about in one poll.
    package var confirmTimeMax: Duration = .seconds(2)
    /// Disputes looked at again in one survey.
    package var disputesReviewedMax = 8
    /// Polls for which an endpoint may give no block although its own head is higher; then it
    /// counts as away.
    package var unknownBlockPollsMax = 5
    /// Logs taken in one range; more means that the range has to be smaller.
    package var logsMax = 10_000
    /// Bytes of one log's data.
    package var logDataBytesMax = 65_536

    /// Bytes of one answer, a batch included.
    package var answerBytesMax = 16 * 1_024 * 1_024
    /// Calls in one batch; more are sent as several.
    package var batchCallsMax = 100
    /// How long one HTTP exchange may take, until its last byte.
    package var answerTimeout: Duration = .seconds(15)
    /// Back-off of an endpoint that fails: doubled from the first to the last.
    package var retryFirst: Duration = .milliseconds(500)
    package var retryLast: Duration = .seconds(60)
    /// Until an endpoint of another chain, or one that contradicted itself, is tried again.
    package var mistrust: Duration = .seconds(300)
    /// An endpoint that goes on failing in the same way is logged again after so long.
    package var faultToldAgain: Duration = .seconds(3_600)
    /// Blocks an endpoint may be behind the best one before it is passed over.
    package var lagBlocksMax: UInt64 = 3
    /// More blocks than any chain makes in a second of its own time.
    package var blocksPerSecondMax: UInt64 = 10
    /// How far a head's own time may be after the wall clock.
    package var headFutureSecondsMax: UInt64 = 900
    /// Endpoints of one chain.
    package var endpointsMax = 16

    /// Intents of one account that have not ended.
    package var intentsOpenMax = 256
    /// Steps of one intent.
    package var stepsMax = 8
    /// Signed attempts for one nonce: the first, speed-ups and a cancellation.
    package var attemptsMax = 16
    /// Bytes of a step's call data.
    package var callBytesMax = 128 * 1_024
    /// Gas beyond the estimate, in percent of it.
    package var gasMarginPercent: UInt64 = 25
    /// Gas that is set aside for an approval of tokens which cannot be estimated yet.
    package var approvalGasMax: UInt64 = 150_000
    /// How long a signed transaction that is not mined waits before its bytes are sent again.
    package var rebroadcast: Duration = .seconds(30)

    package init() {}
}
