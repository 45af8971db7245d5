import AccountAccess
import Foundation
import Keys
import Support
import Testing

struct AccountAllowanceTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `limits new accounts per hour, in total and per network`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let perHour = Int.random(in: 1...20, using: &random)
        var allowance = AccountAllowance()
        var now = start
        var taken: [AccountAllowance.Entry] = []
        for _ in 0..<3_000 {
            now += TimeInterval.random(in: 0...120, using: &random)
            let network = "\(Int.random(in: 0..<6, using: &random))"
            if let wait = allowance.wait(for: network, perHour: perHour, at: now) {
                #expect(wait >= 1 && wait <= 3_600, "seed \(seed)")
                let later = now + wait
                #expect(allowance.wait(for: network, perHour: perHour, at: later) == nil)
                continue
            }
            let entry = AccountAllowance.Entry(network: network, time: now)
            allowance.take(entry)
            taken.append(entry)
            let recent = taken.filter { $0.time + 3_600 > now }
            #expect(recent.count <= perHour, "seed \(seed)")
            #expect(recent.count { $0.network == network } <= max(1, perHour / 4), "seed \(seed)")
            #expect(allowance.entries.count <= perHour, "seed \(seed)")
        }
        #expect(taken.count > perHour, "seed \(seed)")
    }

    @Test func `returns an unused allowance and reads back from its bytes`() throws {
        var allowance = AccountAllowance()
        let (first, second) = (entry("a", 0), entry("a", 1))
        allowance.take(first)
        allowance.take(second)
        #expect(try AccountAllowance(storedBytes: allowance.storedBytes) == allowance)
        allowance.giveBack(first)
        #expect(allowance.entries == [second])
        #expect(allowance.wait(for: "a", perHour: 1, at: start + 2) == 3_599)
        #expect(allowance.wait(for: "b", perHour: 2, at: start + 2) == nil)
    }

    private func entry(_ network: String, _ seconds: TimeInterval) -> AccountAllowance.Entry {
        AccountAllowance.Entry(network: network, time: start + seconds)
    }
}
