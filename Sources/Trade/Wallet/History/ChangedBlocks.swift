/// Finds the blocks in which an account's native balance changed, by halving.
///
/// Pure: it names the next block to read, and the caller passes in the state after that block. A
/// range with equal ends has no change.
struct ChangedBlocks {
    /// A block, with the states before and after it.
    struct Change: Equatable {
        let block: UInt64
        let before: NativeState
        let after: NativeState
    }

    private struct Range {
        let (first, last): (UInt64, UInt64)
        let (before, after): (NativeState, NativeState)
    }

    private let changesMax: Int
    /// The ranges to look into, the earliest last.
    private var open: [Range] = []
    private(set) var changes: [Change] = []

    /// - Parameters:
    ///   - start: The block after which to look, and the state then.
    ///   - end: The last block to look at, and the state after it.
    ///   - changesMax: How many changed blocks to find at most; the earliest are found first.
    init(
        after start: (block: UInt64, state: NativeState),
        upTo end: (block: UInt64, state: NativeState),
        changesMax: Int
    ) {
        self.changesMax = changesMax
        guard end.block > start.block else { return }
        push(start.block, end.block, start.state, end.state)
        settle()
    }

    /// The block whose state is needed next; `nil` when all are found.
    var wanted: UInt64? {
        guard changes.count < changesMax, let range = open.last else { return nil }
        return range.first + (range.last - range.first) / 2
    }

    /// The last block up to which every change is found.
    func end(of last: UInt64) -> UInt64 {
        open.isEmpty ? last : changes.last?.block ?? open.last?.first ?? last
    }

    /// Takes the state after the wanted block.
    mutating func take(_ state: NativeState) {
        guard let middle = wanted, let range = open.popLast() else { return }
        push(middle, range.last, state, range.after)
        push(range.first, middle, range.before, state)
        settle()
    }

    /// Adds the blocks after `first` up to `last`, unless nothing changed in them.
    private mutating func push(
        _ first: UInt64,
        _ last: UInt64,
        _ before: NativeState,
        _ after: NativeState
    ) {
        guard before != after else { return }
        open.append(Range(first: first, last: last, before: before, after: after))
    }

    /// Moves single blocks from the end of the open ranges to the changes, while there is room.
    private mutating func settle() {
        while let range = open.last, range.last - range.first == 1, changes.count < changesMax {
            open.removeLast()
            changes.append(Change(block: range.last, before: range.before, after: range.after))
        }
    }
}
