package import Ethereum
package import Keys

/// A chain of blocks and events in memory, which can be reorganised; it answers as an honest
/// endpoint would at that instant.
package struct FakeChain: Sendable {
    package private(set) var blocks: [BlockHeader] = []
    package private(set) var events: [UInt64: [ContractEvent]] = [:]
    private let contract: Address
    private var branch: UInt64 = 0

    /// A chain with its first block only.
    package init(contract: Address) {
        self.contract = contract
        mine(events: 0)
    }

    package var head: BlockHeader { blocks[blocks.count - 1] }

    /// Every event of the chain as it is, in order.
    package var allEvents: [ContractEvent] {
        events.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Mines a block, `seconds` after the usual time of its height.
    package mutating func mine(events count: Int, later seconds: Int = 0) {
        let number = UInt64(blocks.count)
        branch += 1
        let id = BlockID(number: number, hash: Bytes32(words: number, branch, 0, 1))
        let made = (0..<count).map { index in
            ContractEvent(
                block: id,
                index: UInt64(index),
                transaction: Bytes32(words: number, branch, UInt64(index), 2),
                address: contract,
                topics: [Bytes32(repeating: 7)],
                data: [UInt8(truncatingIfNeeded: branch)]
            )
        }
        events[number] = made
        blocks.append(
            BlockHeader(
                id: id,
                parent: blocks.last?.id.hash ?? .zero,
                timestamp: 1_700_000_000 + UInt64(Int(number) * 12 + seconds),
                bloom: LogBloom(of: made)
            )
        )
    }

    /// Gives the newest block another filter of its logs.
    package mutating func setBloom(_ bloom: LogBloom) {
        let last = head
        blocks[blocks.count - 1] = BlockHeader(
            id: last.id,
            parent: last.parent,
            timestamp: last.timestamp,
            bloom: bloom
        )
    }

    /// Takes the newest blocks away; others are mined by the caller.
    package mutating func drop(_ depth: Int) {
        for _ in 0..<min(depth, blocks.count - 1) {
            events[blocks.removeLast().number] = nil
        }
    }

    package func headers(_ numbers: [UInt64]) -> [UInt64: BlockHeader] {
        var found: [UInt64: BlockHeader] = [:]
        for number in numbers where number < UInt64(blocks.count) {
            found[number] = blocks[Int(number)]
        }
        return found
    }

    package func logs(in range: ClosedRange<UInt64>) -> [ContractEvent] {
        range.flatMap { events[$0] ?? [] }
    }
}
