/// What one exchange of records may cost either side.
///
/// Source: Docs/protocol.md, section 9.
package struct ExchangeLimits: Sendable {
    /// Ids in one page, asked for or shown.
    package var pageIDsMax = 1_000
    /// Ids in one want list of this node's.
    package var wantIDsMax = RecordQuestion.wantedMax
    /// Bytes of records in one answer.
    package var batchBytesMax = 1 << 20
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
        precondition(pageIDsMax > 0 && wantIDsMax > 0, "an exchange would never end")
        precondition(wantIDsMax <= RecordQuestion.wantedMax, "no peer would read the want list")
    }
}
