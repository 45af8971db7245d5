/// The answers that the follower takes, and the actions that it returns.
extension ChainFollower {
    package enum Event: Sendable {
        case head(BlockHeader)
        /// The answer to `fetchHeaders`, by height, without the blocks the endpoint does not have.
        case headers([UInt64: BlockHeader])
        case logs([ContractEvent])
        /// The answer to `fetchLogsAgain`: the logs of these blocks.
        case logsAgain([ContractEvent])
        /// The endpoint does not answer for so many blocks at once.
        case tooMuch
        /// The request failed; the pass ends.
        case failed
    }

    /// The next actions; commits come before the requests that depend on them.
    package enum Directive: Equatable, Sendable {
        case fetchHeaders([UInt64])
        case fetchLogs(ClosedRange<UInt64>)
        /// Ask again for the logs of blocks whose filter names a contract without a log.
        case fetchLogsAgain([BlockID])
        /// The endpoint first left out events of these blocks, and had them when it was asked
        /// again.
        case leftOut([BlockID])
        /// The endpoint has no logs of these blocks, whose filters can hardly be wrong. They wait
        /// for another pass, or else count as having none.
        case suspect([BlockID], isWaiting: Bool)
        /// Commit the events and the checkpoint together, then tell the listener.
        case apply(AppliedRange, FollowerCheckpoint)
        /// Remove all events above the block (all if `nil`), commit that with the checkpoint, then
        /// tell the listener.
        case rollBack(to: BlockID?, FollowerCheckpoint)
        /// Mistrust the endpoint: its answers contradict each other.
        case mistrust(String)
    }
}
