/// Records the newest blocks that each endpoint delivered, and how many of them it alone had.
///
/// Pure. A block is judged as soon as two endpoints have a block at its height. It does not matter
/// which endpoint was followed when the block was rolled back. Otherwise a liar could have its own
/// blocks count against another endpoint. A block that its own endpoint replaces counts at once.
///
/// Source: Docs/operations.md, section 5.5 "Endpoints that differ".
package struct DeliveredHeads: Sendable {
    private struct Record {
        /// The newest block since the last comparison.
        var newest: BlockID?
        /// The blocks that no second endpoint has yet, the lowest first.
        var open: [BlockID] = []
        /// The blocks that it alone had, less those that others had too.
        var alone = 0
    }

    private let max: Int
    private let openMax: Int
    private var records: [EndpointName: Record] = [:]

    /// - Parameters:
    ///   - max: How many blocks an endpoint alone may have.
    ///   - openMax: The maximum number of blocks of an endpoint that are remembered.
    package init(max: Int, openMax: Int) { (self.max, self.openMax) = (max, openMax) }

    /// Records a block that an endpoint delivered; the last one before a comparison counts.
    package mutating func delivered(_ block: BlockID, by endpoint: EndpointName) {
        records[endpoint, default: Record()].newest = block
    }

    /// Records that an endpoint has replaced its own blocks above a block; all if it is `nil`.
    package mutating func replaced(above block: BlockID?, by endpoint: EndpointName) {
        var record = records[endpoint] ?? Record()
        record.open.removeAll { $0.number > block?.number ?? 0 }
        record.newest = nil
        record.alone += 1
        records[endpoint] = record
    }

    /// Compares the blocks with those that two endpoints have.
    ///
    /// - Parameters:
    ///   - confirmed: The newest block that two endpoints have.
    ///   - known: Returns their block at a height; `nil` if it is not remembered.
    /// - Returns: The endpoints that had too many blocks alone, whose counts begin again.
    package mutating func compare(
        upTo confirmed: BlockID?,
        with known: (UInt64) -> BlockID?
    ) -> [EndpointName] {
        var restless: [EndpointName] = []
        for (endpoint, var record) in records {
            open(&record)
            while let block = record.open.first, block.number <= confirmed?.number ?? 0 {
                record.open.removeFirst()
                guard let shared = known(block.number) else { continue }
                record.alone = shared == block ? Swift.max(0, record.alone - 1) : record.alone + 1
            }
            if record.alone >= max {
                restless.append(endpoint)
                record.alone = 0
            }
            records[endpoint] = record
        }
        return restless.sorted { $0.description < $1.description }
    }

    private func open(_ record: inout Record) {
        defer { record.newest = nil }
        guard let block = record.newest, !record.open.contains(block) else { return }
        let index = record.open.firstIndex { $0.number > block.number } ?? record.open.count
        record.open.insert(block, at: index)
        // The lowest ones are compared first.
        if record.open.count > openMax { record.open.removeLast() }
    }
}
