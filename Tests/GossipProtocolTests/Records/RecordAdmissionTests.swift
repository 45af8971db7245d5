import GossipProtocol
import Keys
import Market
import Testing

struct RecordAdmissionTests {
    /// An address in a subnet of its own.
    private static func origin(_ number: UInt64) -> RecordOrigin {
        RecordOrigin(place: number << 8, kind: 4)
    }

    private static func moment(_ milliseconds: Int) -> Moment {
        .start + .milliseconds(milliseconds)
    }

    @Test func `admits 256 KiB of one link's 287 MB, and all records of other links`() {
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

    @Test func `a link never exceeds its rate, even by reconnecting`() {
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

    @Test func `counts authors, origins and records that wait for a sale separately`() {
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

    /// - From peers: a flood that uses up this node's forwarding limit → the flood's records are
    ///   kept but not forwarded; those of others are forwarded
    @Test func `a flood at one node does not limit what others forward`() {
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

    /// A /64 of the /48 2001:db8:1::.
    private static func network(_ number: Int) -> RecordOrigin {
        RecordOrigin(place: 0x2001_0DB8_0001_0000 | UInt64(number % 65_536), kind: 6)
    }

    /// Whether a profile of somebody new is stored here and forwarded.
    private static func passes(
        _ admission: inout RecordAdmission,
        from origin: RecordOrigin,
        at now: Moment
    ) -> Bool {
        admission.admitOpen(350, from: origin, at: now)
            && admission.admitSigned(350, by: Address(words: origin.place, 0, 0), at: now)
            && admission.admitForwarding(350, from: origin, at: now)
    }

    @Test func `983 links from one IPv6 /48 in two minutes delay no newcomer`() {
        var admission = RecordAdmission()
        for link in 0..<983 {
            let now = Self.moment(link * 122)
            for _ in 0..<10 {
                _ = Self.passes(&admission, from: Self.network(link), at: now)
            }
            guard link % 10 == 9 else { continue }
            for place in [UInt64(0x2001_0DB8_0002_0000), 0x2600_0000_0000_0000] {
                let newcomer = RecordOrigin(place: place | UInt64(link), kind: 6)
                for _ in 0..<2 {
                    let isPassed = Self.passes(&admission, from: newcomer, at: now)
                    // The newcomers' subnets are two, and share what a subnet has by now.
                    #expect(isPassed, "link \(link)")
                }
            }
        }
    }

    @Test(arguments: [4_300, 20_000])
    func `a table full of one IPv6 /48's networks leaves room for a newcomer`(networks: Int) {
        var admission = RecordAdmission()
        for number in 0..<networks {
            _ = Self.passes(&admission, from: Self.network(number), at: .start)
            _ = admission.admitWaiting(4_096, from: Self.network(number), at: .start)
            admission.countFailedCheck(from: Self.network(number), at: .start)
        }
        for other in 1...20 as ClosedRange<UInt64> {
            let newcomer = Self.origin(other)
            let isPassed = Self.passes(&admission, from: newcomer, at: .start)
            let isHeld = admission.admitWaiting(4_096, from: newcomer, at: .start)
            let isChecked = admission.admitCheck(from: newcomer, at: .start)
            #expect(isPassed && isHeld && isChecked)
        }
    }

    @Test func `an endless trickle from 4,000 networks delays no newcomer`() {
        var admission = RecordAdmission()
        var turn = 0
        for second in 0..<3_600 {
            let now = Self.moment(second * 1_000)
            for _ in 0..<40 {
                turn += 1
                _ = Self.passes(&admission, from: Self.network(turn % 4_000), at: now)
            }
            guard second % 60 == 59 else { continue }
            let newcomer = Self.origin(UInt64(second))
            let isPassed = Self.passes(&admission, from: newcomer, at: now)
            #expect(isPassed, "after \(second) s")
        }
    }

    @Test(arguments: [16, 256, 1_024])
    func `a flood from many subnets leaves room for a newcomer's first records`(subnets: UInt64) {
        var admission = RecordAdmission()
        for second in 0..<300 {
            let now = Self.moment(second * 1_000)
            for subnet in 1...subnets {
                for _ in 0..<4 {
                    _ = Self.passes(&admission, from: Self.origin(subnet), at: now)
                }
            }
            guard second % 50 == 49 else { continue }
            let newcomer = Self.origin(UInt64(10_000 + second))
            let isPassed = Self.passes(&admission, from: newcomer, at: now)
            #expect(isPassed, "after \(second) s")
        }
    }
}
