import Ethereum
import Keys
import Testing

struct RepairQueueTests {
    private let one = Bytes32(repeating: 1)
    private let other = Bytes32(repeating: 2)

    @Test func `reads from the last event on, then from the first one`() {
        var queue = RepairQueue(unexplainedMax: 8)
        queue.add(one, in: .zero, from: 50, or: 20)
        queue.add(one, in: .zero, from: 1, or: nil)
        queue.add(other, in: .zero, from: 7, or: 9)
        #expect(queue.first?.subject == one && queue.first?.next == 50)
        queue.passed(59)
        #expect(queue.first?.next == 60)
        var isUnexplained = queue.endedAtHead()
        #expect(!isUnexplained && queue.first?.next == 20)
        isUnexplained = queue.endedAtHead()
        #expect(isUnexplained && queue.isUnexplained(one))
        // A first event above the last one is none.
        #expect(queue.first?.subject == other)
        isUnexplained = queue.endedAtHead()
        #expect(isUnexplained && queue.first == nil)
    }

    @Test func `a difference explains a part, and no answer leaves it as it was`() {
        var queue = RepairQueue(unexplainedMax: 8)
        queue.add(one, in: .zero, from: 5, or: nil)
        _ = queue.endedAtHead()
        queue.add(one, in: .zero, from: 5, or: nil)
        #expect(queue.gaveUp() == one && queue.gaveUp() == nil)
        #expect(queue.isUnexplained(one))
        queue.add(one, in: .zero, from: 5, or: nil)
        queue.explained()
        #expect(!queue.isUnexplained(one) && queue.first == nil)
    }

    @Test func `remembers a bounded number of unexplained parts`() {
        var queue = RepairQueue(unexplainedMax: 2)
        for byte in 1...3 as ClosedRange<UInt8> {
            queue.add(Bytes32(repeating: byte), in: .zero, from: 5, or: nil)
            _ = queue.endedAtHead()
        }
        let remembered = (1...3).map { queue.isUnexplained(Bytes32(repeating: $0)) }
        #expect(remembered == [false, false, true])
    }
}
