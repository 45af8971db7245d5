import Keys
import Market
import Records
import Support
import Testing

struct AnchoredPaceTests {
    private static let allowance = AnchoredAllowance.byteCountMax(listed: 1, ended: 1)

    private static func time(_ milliseconds: UInt64) -> Timestamp {
        Timestamp(milliseconds: 1_763_700_000_000 + milliseconds)
    }

    /// Asks for each in turn.
    private static func admitted(
        _ records: [(bytes: Int, author: UInt8, sales: Int, at: Timestamp)],
        _ pace: AnchoredPace = AnchoredPace()
    ) -> [Bool] {
        var pace = pace
        return records.map { record in
            pace.admits(
                record.bytes,
                by: testKey(record.author).address,
                sales: record.sales,
                at: record.at
            )
        }
    }

    @Test func `allows twice the allowance at once, then one allowance a day`() {
        let (now, half) = (Self.time(0), Self.time(43_200_000))
        let end = Timestamp(milliseconds: .max)
        let records = [
            (2 * Self.allowance, now), (1, now), (Self.allowance / 2 + 1, half),
            (Self.allowance / 2, half), (1, half), (2 * Self.allowance, end), (1, end),
            // A clock that was set back forgives nothing, and takes nothing away.
            (1, now),
        ]
        let admitted = Self.admitted(records.map { ($0, 1, 1, $1) })
        #expect(admitted == [true, false, false, true, false, true, false, false])
    }

    @Test func `more sales raise an author's allowance, and authors do not share it`() {
        let now = Self.time(0)
        let admitted = Self.admitted([
            (2 * Self.allowance, 1, 1, now), (1_000, 1, 1, now), (1_000, 1, 2, now),
            (2 * Self.allowance, 2, 1, now),
        ])
        #expect(admitted == [true, false, true, true])
    }

    /// - From peers: versions by more authors than are remembered → further authors share one
    ///   allowance
    @Test func `newcomers beyond the limit of authors share one account`() {
        let (now, half) = (Self.time(0), Self.allowance)
        var pace = AnchoredPace(accountsMax: 2)
        func admits(_ bytes: Int, _ author: UInt8, _ time: Timestamp) -> Bool {
            pace.admits(bytes, by: testKey(author).address, sales: 1, at: time)
        }
        #expect(admits(2 * half, 1, now) && admits(half, 2, now))
        // Two that take turns do not make each other forgotten.
        let turns = (0..<8).map { admits(half / 2, 3 + $0 % 2, now) }
        #expect(turns == [true, true, true, true, false, false, false, false])
        #expect(!admits(1, 1, now) && admits(half, 2, now) && !admits(1, 2, now))
    }

    @Test func `authors that regained their allowance make room for others`() {
        let (now, day) = (Self.time(0), Self.time(86_400_001))
        var pace = AnchoredPace(accountsMax: 2)
        func admits(_ bytes: Int, _ author: UInt8, _ time: Timestamp) -> Bool {
            pace.admits(bytes, by: testKey(author).address, sales: 1, at: time)
        }
        #expect(admits(2 * Self.allowance, 1, now) && admits(Self.allowance, 2, now))
        #expect(admits(2 * Self.allowance, 3, now) && !admits(1, 4, now))
        // The second has nothing to remember by now.
        #expect(admits(2 * Self.allowance, 4, day) && !admits(1, 4, day))
        #expect(admits(Self.allowance, 1, day) && !admits(1, 1, day))
    }
}
