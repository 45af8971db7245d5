extension ChainFollower {
    /// Returns the number of blocks from `block` to the newest applied one, both included; `nil` if
    /// `block` is known not to be part of the chain.
    package func confirmations(of block: BlockID) -> UInt64? {
        guard let applied, block.number <= applied.number else { return nil }
        if let mark = window.mark(at: block.number), mark != block { return nil }
        return applied.number - block.number + 1
    }

    /// Returns the applied block at a height, if it is in the window.
    package func mark(at height: UInt64) -> BlockID? { window.mark(at: height) }

    /// Returns whether the window has a block below a height, so that a roll-back can stop there.
    package func isMarked(below height: UInt64) -> Bool {
        window.oldest.map { $0.number < height } ?? false
    }
}
