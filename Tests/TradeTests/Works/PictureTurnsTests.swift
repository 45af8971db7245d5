import Keys
import Support
import Testing

@testable import Trade

/// Trade is imported as testable: the turns are its own matter.
struct PictureTurnsTests {
    private static let accounts = [1, 2, 3].map { testKey($0).address }
    private static let pictures = Set((1...6).map { Bytes32(repeating: $0) })

    @Test func `dead pictures of one account leave the others their turns`() {
        var turns = PictureTurns()
        let own = Bytes32(repeating: 9)
        var served: [Address] = []
        for step in 0..<4 {
            for account in turns.order(Self.accounts) {
                let missing = account == Self.accounts[0] ? Self.pictures : [own]
                let uptime = Duration.seconds(80 * step)
                guard turns.next(of: missing, for: account, at: uptime) != nil else { continue }
                served.append(account)
                break
            }
        }
        #expect(served == Self.accounts + [Self.accounts[0]])
    }

    /// - From peers: pictures of notes that no peer gives → each is tried again after 10 minutes, an
    ///   hour, and then every six hours
    @Test func `a picture that no peer gives waits longer each time`() {
        var turns = PictureTurns()
        let (account, missing) = (Self.accounts[0], Self.pictures)
        var tries: [Bytes32: [Int64]] = [:]
        for minute in 0..<1_200 as Range<Int64> {
            let uptime = Duration.seconds(60 * minute)
            while let next = turns.next(of: missing, for: account, at: uptime) {
                tries[next, default: []].append(minute)
            }
        }
        #expect(Set(tries.keys) == missing)
        #expect(tries.values.allSatisfy { $0 == [0, 10, 70, 430, 790, 1_150] })
    }

    @Test func `a new picture comes before one that failed`() {
        var turns = PictureTurns()
        let (account, old, new) = (
            Self.accounts[0], Bytes32(repeating: 1), Bytes32(repeating: 2)
        )
        #expect(turns.next(of: [old], for: account, at: .zero) == old)
        #expect(turns.next(of: [old], for: account, at: .seconds(599)) == nil)
        #expect(turns.next(of: [old, new], for: account, at: .seconds(600)) == new)
        #expect(turns.next(of: [old, new], for: account, at: .seconds(600)) == old)
        // A picture starts over once it has arrived, or once its account has left.
        #expect(turns.next(of: [], for: account, at: .seconds(600)) == nil)
        #expect(turns.next(of: [old], for: account, at: .seconds(600)) == old)
        #expect(turns.order([]).isEmpty)
        #expect(turns.next(of: [old], for: account, at: .seconds(600)) == old)
    }
}
