import Foundation
import Keys
import Market
import Support
import Testing

// What a conversation keeps is seen by no caller of Mail, hence the testable import.
@testable import Mail

struct StoredConversationTests {
    private static func mark(
        _ delivered: NumberRanges,
        notUnderstood: NumberRanges = NumberRanges()
    ) -> MailMark {
        MailMark(
            device: Bytes32(repeating: 1),
            delivered: delivered,
            notUnderstood: notUnderstood,
            readThrough: 0
        )
    }

    private static func ranges(_ ranges: ClosedRange<UInt64>...) throws -> NumberRanges {
        try #require(NumberRanges(ranges))
    }

    @Test func `the other side's new devices get receipts, however many there are`() throws {
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

    /// - From peers: a receipt that repeats the same numbers, or names all possible ones → it costs
    ///   no more than its ranges
    @Test func `repeated numbers in a receipt cost nothing`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        let all = try #require(NumberRanges([1...UInt64.max]))
        kept.lastNumber = 1 << 50
        kept.opened = try #require(NumberRanges([1...kept.lastNumber - 2]))
        #expect(kept.take(Self.mark(all)).delivered == [kept.lastNumber - 1...kept.lastNumber])
        #expect(kept.take(Self.mark(all)).delivered == [])
        kept.lastNumber += 1
        #expect(kept.take(Self.mark(all)).delivered == [kept.lastNumber...kept.lastNumber])
    }

    @Test func `counts each number once, however a receipt splits its ranges`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        kept.lastNumber = 10_000
        let first = try #require(NumberRanges([1...9_000]))
        #expect(kept.take(Self.mark(first)).delivered == [1...9_000])
        let single = try #require(NumberRanges((0..<64).map { 9_002 + 2 * $0...9_002 + 2 * $0 }))
        #expect(kept.take(Self.mark(single)).delivered.count == 64)
        #expect(kept.opened.ranges.count == NumberRanges.rangesMax)
        // Now there is room for another range.
        let another = try #require(NumberRanges([9_101...9_101]))
        #expect(kept.take(Self.mark(another)).delivered.count == 1)
        #expect(kept.take(Self.mark(first)).delivered == [])
    }

    @Test func `sorts marks by device`() {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        var random = SeededRandom(seed: 1)
        for number in (1...16 as ClosedRange<UInt8>).shuffled(using: &random) {
            kept.owe(1, to: Bytes32(repeating: number))
        }
        let devices = kept.takeMarks()?.map(\.device)
        #expect(devices == (1...16).map { Bytes32(repeating: $0) })
    }

    @Test func `owes each device one receipt for a read message`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        kept.owe(1, to: Bytes32(repeating: 1))
        kept.owe(4, to: Bytes32(repeating: 1))
        kept.owe(2, to: Bytes32(repeating: 2))
        #expect(kept.takeMarks()?.map(\.readThrough) == [0, 0])
        #expect(kept.takeMarks() == nil)
        #expect(kept.unread == 3)
        #expect(kept.markRead(through: 3, leaving: [:]) == true)
        #expect(kept.unread == 0 && kept.readPlace == 3)
        #expect(kept.takeMarks()?.map(\.readThrough) == [4, 2])
        #expect(kept.takeMarks() == nil)
        #expect(kept.markRead(through: 3, leaving: [:]) == false)
        // A place before is read already, but a message may still be unread.
        kept.owe(5, to: Bytes32(repeating: 1))
        #expect(kept.markRead(through: 3, leaving: [:]) == true)
        #expect(kept.markRead(through: 3, leaving: [:]) == false)
    }

    @Test func `a mark reports a message as not understood, and later as understood`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        let device = Bytes32(repeating: 1)
        for number in 1...5 as ClosedRange<UInt64> {
            kept.owe(number, to: device, isUnderstood: number != 2 && number != 4)
        }
        // Understood before the receipt is written: then it tells nothing else of it.
        kept.understand(4, of: device)
        let first = try #require(kept.takeMarks()?.first)
        #expect(first.delivered.ranges == [1...5])
        #expect(first.notUnderstood.ranges == [2...2])
        #expect(kept.takeMarks() == nil)
        kept.understand(2, of: device)
        #expect(kept.unread == 5)
        let second = try #require(kept.takeMarks()?.first)
        #expect(second.delivered.ranges == [2...2])
        #expect(second.notUnderstood.isEmpty)
        #expect(kept.takeMarks() == nil)
    }

    @Test func `a mark never reports an unread kind of message as understood`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        for number in 1...400 as ClosedRange<UInt64> {
            kept.owe(number, to: Bytes32(repeating: 1), isUnderstood: number % 3 > 0)
        }
        let mark = try #require(kept.takeMarks()?.first)
        #expect(mark.delivered.contains(399) && mark.notUnderstood.contains(399))
        #expect(mark.notUnderstood.ranges.count <= NumberRanges.rangesMax)
        #expect(mark.notUnderstood.isSubset(of: mark.delivered))
        for number in 1...400 as ClosedRange<UInt64> where mark.delivered.contains(number) {
            #expect(mark.notUnderstood.contains(number) == (number % 3 == 0), "\(number)")
        }
    }

    @Test func `counts a message as understood unless a later mark denies it`() throws {
        var kept = StoredConversation(with: .zero, slot: nil, at: Date(timeIntervalSince1970: 0))
        kept.lastNumber = 9
        let first = Self.mark(try Self.ranges(1...6), notUnderstood: try Self.ranges(2...3, 5...5))
        #expect(kept.take(first).delivered == [1...6])
        #expect(kept.notUnderstood == (try Self.ranges(2...3, 5...5)))
        // Of another device that knows no more, or the same again.
        let again = kept.take(first)
        #expect(again.delivered.isEmpty && again.understood.isEmpty)
        let later = Self.mark(try Self.ranges(3...20), notUnderstood: try Self.ranges(5...5))
        let told = kept.take(later)
        #expect(told.delivered == [7...9] && told.understood == [3...3])
        #expect(kept.notUnderstood == (try Self.ranges(2...2, 5...5)))
        // A number that was understood once stays so, whatever a late mark says.
        let late = kept.take(first)
        #expect(late.delivered.isEmpty && late.understood.isEmpty)
        #expect(!kept.notUnderstood.contains(3))
    }
}
