package import Keys

/// The newest applied blocks, oldest first, which show where a reorganisation began.
///
/// There may be gaps, because far behind the head only the last block of each range is kept. A
/// roll-back then returns to the next mark below, which is further than needed but correct.
package struct BlockWindow: Equatable, Sendable {
    package private(set) var marks: [BlockID] = []
    /// The first applied block, which stays known: every endpoint of this chain has it.
    package fileprivate(set) var first: BlockID?
    private let blocksMax: Int

    package init(blocksMax: Int) {
        self.blocksMax = blocksMax
    }

    package var newest: BlockID? { marks.last }
    package var oldest: BlockID? { marks.first }

    /// Returns the mark at a height, if there is one.
    package func mark(at number: UInt64) -> BlockID? {
        let index = firstIndex(from: number)
        return index < marks.count && marks[index].number == number ? marks[index] : nil
    }

    /// Appends blocks above all others, and removes the oldest ones beyond the limit.
    mutating func append(_ blocks: [BlockID]) {
        for block in blocks {
            precondition(marks.last.map { $0.number < block.number } ?? true, "marks only grow")
            marks.append(block)
        }
        first = first ?? blocks.first
        if marks.count > blocksMax { marks.removeFirst(marks.count - blocksMax) }
    }

    /// Removes every mark above `block`; all marks if it is `nil`.
    mutating func truncate(above block: BlockID?) {
        guard let block else {
            self = BlockWindow(blocksMax: blocksMax)
            return
        }
        if let first, first.number > block.number { self.first = nil }
        marks.removeSubrange(firstIndex(from: block.number + 1)...)
    }

    private func firstIndex(from number: UInt64) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The stored state of a follower: its window, and the filter that it was read with.
package struct FollowerCheckpoint: Equatable, Sendable {
    package let window: BlockWindow
    /// Identifies the contracts and the first block; if it changes, all events are read again.
    package let filter: FilterID

    package init(window: BlockWindow, filter: FilterID) {
        (self.window, self.filter) = (window, filter)
    }
}

extension FollowerCheckpoint: StoredValue {
    /// The version of the stored form; the one before it has no first block.
    private static let version: UInt8 = 2

    package func write(to writer: inout StoredWriter) {
        writer.write(Self.version)
        writer.write(filter.hash)
        writer.write(window.marks)
        writer.write(optional: window.first) { $0.write($1) }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let version = try reader.byte()
        guard (1...Self.version).contains(version) else { throw .unknownForm(version) }
        filter = FilterID(hash: try reader.hash())
        let marks = try reader.values(of: BlockID.self)
        for (low, high) in zip(marks, marks.dropFirst()) where low.number >= high.number {
            throw .unknownForm(0)
        }
        var window = BlockWindow(blocksMax: ChainLimits().windowBlocksMax)
        window.append(marks)
        if version > 1 {
            window.first = try reader.optional { reader throws(StoredValueError) in
                try BlockID(from: &reader)
            }
        }
        self.window = window
    }
}

extension BlockID: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(number)
        writer.write(hash)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        self.init(number: try reader.number(), hash: try reader.hash())
    }
}
