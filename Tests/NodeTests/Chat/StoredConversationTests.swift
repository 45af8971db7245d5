import Foundation
import Keys
import Market
import Testing

// What a conversation keeps is seen by no caller of Node, hence the testable import.
@testable import Node

struct StoredConversationTests {
    @Test func `a new device of the other side is owed receipts, however many there were`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        func device(_ number: UInt8) -> Bytes32 { Bytes32(repeating: number) }
        for number in 1...32 as ClosedRange<UInt8> { kept.owe(1, to: device(number)) }
        // None is told yet, so that none may be forgotten.
        kept.owe(1, to: device(33))
        #expect(kept.owed.count == 32 && kept.owed[device(33).text] == nil)
        for _ in 0..<2 { #expect(kept.takeMarks()?.count == 16) }
        kept.owed[device(7).text]?.readThrough = 1
        kept.owed[device(7).text]?.readTold = 1
        kept.owe(1, to: device(34))
        #expect(kept.owed.count == 32)
        // The one of which all was read goes first.
        #expect(kept.owed[device(7).text] == nil)
        #expect(kept.takeMarks()?.map(\.device) == [device(34)])
    }

    @Test func `numbers that a receipt names again cost nothing, however many they are`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        let all = try #require(NumberRanges([1...UInt64.max]))
        kept.lastNumber = 1 << 50
        kept.opened = try #require(NumberRanges([1...kept.lastNumber - 2]))
        #expect(kept.take(all) == [kept.lastNumber - 1...kept.lastNumber])
        #expect(kept.take(all) == [])
        kept.lastNumber += 1
        #expect(kept.take(all) == [kept.lastNumber...kept.lastNumber])
    }

    @Test func `however a receipt splits its ranges, each number is taken once`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        kept.lastNumber = 10_000
        let first = try #require(NumberRanges([1...9_000]))
        #expect(kept.take(first) == [1...9_000])
        let single = try #require(NumberRanges((0..<64).map { 9_002 + 2 * $0...9_002 + 2 * $0 }))
        #expect(kept.take(single).count == 64)
        #expect(kept.opened.ranges.count == NumberRanges.rangesMax)
        // Now there is room for another range.
        #expect(kept.take(try #require(NumberRanges([9_101...9_101]))).count == 1)
        #expect(kept.take(first) == [])
    }

    @Test func `marks rise by their device`() {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        for number in (1...16 as ClosedRange<UInt8>).shuffled() {
            kept.owe(1, to: Bytes32(repeating: number))
        }
        let devices = kept.takeMarks()?.map(\.device)
        #expect(devices == (1...16).map { Bytes32(repeating: $0) })
    }

    @Test func `what is read is owed to each device once`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        kept.owe(1, to: Bytes32(repeating: 1))
        kept.owe(4, to: Bytes32(repeating: 1))
        kept.owe(2, to: Bytes32(repeating: 2))
        #expect(kept.takeMarks()?.map(\.readThrough) == [0, 0])
        #expect(kept.takeMarks() == nil)
        #expect(kept.unread == 3)
        #expect(kept.markRead(through: 3) == true)
        #expect(kept.unread == 0 && kept.readPlace == 3)
        #expect(kept.takeMarks()?.map(\.readThrough) == [4, 2])
        #expect(kept.takeMarks() == nil)
        #expect(kept.markRead(through: 3) == false)
        // A place before is read already, but a message may still be unread.
        kept.owe(5, to: Bytes32(repeating: 1))
        #expect(kept.markRead(through: 3) == true)
        #expect(kept.markRead(through: 3) == false)
    }
}
