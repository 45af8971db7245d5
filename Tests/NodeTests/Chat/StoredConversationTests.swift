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
}
