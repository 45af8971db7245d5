import Keys

/// Decides which blocks' logs are asked for again because the block's own filter names a contract
/// for which the answer has no log.
///
/// Endpoints with several machines behind them answer without the logs of a block that not all of
/// them have yet. On a busy chain most blocks' filters are so full that they name every contract;
/// such blocks are asked for once more and do not wait.
///
/// Pure. Source: Docs/operations.md, section 5.3.
struct LogDoubts: Sendable {
    private let filter: LogFilter
    private let limits: ChainLimits
    /// How many passes have waited since all blocks were applied, whichever blocks they waited for.
    private var waits = 0

    init(filter: LogFilter, limits: ChainLimits) {
        (self.filter, self.limits) = (filter, limits)
    }

    /// Returns the blocks whose filter names a contract without an event in them, lowest first.
    func doubtful(_ headers: some Sequence<BlockHeader>, events: [ContractEvent]) -> [BlockHeader] {
        var seen: [Bytes32: Set<Address>] = [:]
        for event in events { seen[event.block.hash, default: []].insert(event.address) }
        return headers.filter { header in
            guard let bloom = header.bloom else { return false }
            return filter.contracts(in: bloom).contains {
                seen[header.id.hash]?.contains($0) != true
            }
        }
        .sorted { $0.number < $1.number }
    }

    /// Takes the blocks that are still doubtful after they were asked for again.
    ///
    /// - Returns: The blocks whose filter can hardly be wrong, and whether they must wait for
    ///   another pass. None waits once so many passes have waited, for these blocks or others,
    ///   until all blocks are applied: so headers that name the contracts, in whatever order, delay
    ///   the follower and do not stop it.
    mutating func judge(_ blocks: [BlockHeader]) -> (suspect: [BlockID], mustWait: Bool) {
        let suspect = blocks.filter { block in
            block.bloom.map { filter.falseChance(of: $0) <= limits.doubtedChanceMax } ?? false
        }
        if !suspect.isEmpty { waits = min(waits + 1, limits.doubtedPassesMax) }
        return (suspect.map(\.id), !suspect.isEmpty && waits < limits.doubtedPassesMax)
    }

    /// Records that all blocks are applied.
    mutating func caughtUp() { waits = 0 }
}
