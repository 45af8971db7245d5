import Keys
import Market
import Node
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

    @Test func `twice the allowance comes at once, and once more in a day`() {
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

    @Test func `more sales bring more, and authors do not share`() {
        let now = Self.time(0)
        let admitted = Self.admitted([
            (2 * Self.allowance, 1, 1, now), (1_000, 1, 1, now), (1_000, 1, 2, now),
            (2 * Self.allowance, 2, 1, now),
        ])
        #expect(admitted == [true, false, true, true])
    }

    @Test func `over its limit of authors it forgets who brought the least`() {
        let now = Self.time(0)
        let admitted = Self.admitted(
            [
                (2 * Self.allowance, 1, 1, now), (10, 2, 1, now),
                (2 * Self.allowance, 3, 1, now), (1, 1, 1, now), (1, 3, 1, now),
            ],
            AnchoredPace(accountsMax: 2)
        )
        #expect(admitted == [true, true, true, false, false])
    }
}
