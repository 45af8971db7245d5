import Gossip
import Keys
import Market
import Testing

struct RecordAdmissionTests {
    private static func origin(_ number: UInt64) -> RecordOrigin {
        RecordOrigin(place: number, kind: 4)
    }

    private static func moment(_ milliseconds: Int) -> Moment {
        .start + .milliseconds(milliseconds)
    }

    @Test func `287 MB over one link in eight seconds bring in 256 KiB, others' records all`() {
        var admission = RecordAdmission()
        var (sent, taken) = (0, 0)
        for millisecond in 0..<8_000 {
            let now = Self.moment(millisecond)
            for _ in 0..<18 {
                sent += 2_048
                if admission.admitOpen(2_048, from: Self.origin(1), at: now) { taken += 2_048 }
            }
            // An honest link brings the records of three accounts a second.
            guard millisecond % 333 == 0 else { continue }
            let isTaken = admission.admitOpen(700, from: Self.origin(2), at: now)
            #expect(isTaken, "after \(millisecond) ms")
        }
        #expect(sent > 287_000_000)
        #expect((250_000...262_144).contains(taken))
    }

    @Test func `for days on end a link brings in no more than its rate, even by reconnecting`() {
        var admission = RecordAdmission()
        var taken = 0
        let seconds = 2 * 86_400
        for second in 0..<seconds {
            // Its keys change, its address does not.
            while admission.admitOpen(16_384, from: Self.origin(1), at: Self.moment(second * 1_000))
            { taken += 16_384 }
        }
        #expect(taken <= (128 << 10) + seconds * 16_384)
    }

    @Test func `authors and origins are counted apart, and what waits for a sale as well`() {
        var admission = RecordAdmission()
        let author = Address(words: 1, 2, 3)
        var taken = 0
        while admission.admitSigned(1_024, by: author, at: .start) { taken += 1 }
        #expect(taken == 128)
        let others = admission.admitSigned(1_024, by: .zero, at: .start)
        let open = admission.admitOpen(1_024, from: Self.origin(1), at: .start)
        let waiting = admission.admitWaiting(65_536, from: Self.origin(1), at: .start)
        #expect(others && open && waiting)
    }

    @Test func `a flood at one node takes nothing from what it passes on for others`() {
        var (node, next) = (RecordAdmission(), RecordAdmission())
        let nodeAtNext = Self.origin(7)
        func brings(_ byteCount: Int, from origin: RecordOrigin, at now: Moment) -> Bool {
            node.admitOpen(byteCount, from: origin, at: now)
                && node.admitForwarding(byteCount, from: origin, at: now)
                && next.admitOpen(byteCount, from: nodeAtNext, at: now)
        }
        #expect(brings(180, from: Self.origin(1), at: .start))
        // 254 keys of other addresses reach the next node, and leave.
        for other in 1_000..<1_254 as Range<UInt64> {
            _ = next.admitOpen(178, from: Self.origin(other), at: Self.moment(200_000))
        }
        var passed = 0
        for second in 200..<2_000 {
            for millisecond in stride(from: 0, to: 1_000, by: 10) {
                let now = Self.moment(second * 1_000 + millisecond)
                for flooder in 100..<104 as Range<UInt64>
                where brings(178, from: Self.origin(flooder), at: now) { passed += 178 }
            }
            let isPassedOn = brings(
                180,
                from: Self.origin(1),
                at: Self.moment(second * 1_000 + 995)
            )
            #expect(isPassedOn, "after \(second) s")
        }
        // The flood gets what the honest peers leave.
        #expect(passed > 1_800 * 14_000)
    }
}
