import GossipProtocol
import Market
import Testing

/// Which peers of the record exchange hold a place while others keep this node waiting.
struct ExchangePlacesTests {
    /// A schedule, and peers that answer nothing or at once, in steps of 50 ms.
    private struct Run {
        private static let step = 50
        private let limits = ExchangeLimits()
        private var schedule: ExchangeSchedule
        private var milliseconds = 0
        private var silentSince: [PeerID: Int] = [:]
        private(set) var begun: [PeerID: Int] = [:]
        private(set) var runningMax = 0

        init() {
            schedule = ExchangeSchedule(limits: limits, interval: .seconds(300), seed: 1)
            handle(.wanted)
        }

        mutating func link(_ number: Int, network: Int) {
            let address = IPAddress(bytes: [8, UInt8(network >> 8), UInt8(network & 255), 1])
            let group = address.map(AddressGroup.init)
            handle(.linked(peer(number), isOutbound: false, group: group))
        }

        mutating func pass(_ time: Int) {
            for _ in 0..<time / Self.step {
                milliseconds += Self.step
                for (peer, since) in silentSince.sorted(by: { $0.key < $1.key })
                where milliseconds - since == 200 { handle(.keepsWaiting(peer, true)) }
                if milliseconds.isMultiple(of: 1_000) { handle(.tick) }
            }
        }

        private mutating func handle(_ event: ExchangeSchedule.Event) {
            for directive in schedule.handle(event, at: .start + .milliseconds(milliseconds)) {
                switch directive {
                case .begin(let peer):
                    if begun[peer] == nil { begun[peer] = milliseconds }
                    silentSince[peer] = milliseconds
                case .revoke(let peer):
                    silentSince[peer] = nil
                    handle(.ended(peer, .init(isPaused: true, isSlow: true)))
                }
            }
            runningMax = max(runningMax, schedule.running.count)
        }
    }

    @Test(arguments: [(40, 2_000), (64, 2_500), (224, 8_000)])
    func `any number of slow peers delay a newcomer only a little`(slow: Int, millisecondsMax: Int)
    {
        var run = Run()
        for number in 0..<slow { run.link(number, network: number) }
        run.link(1_000, network: 1_000)
        run.pass(30_000)
        let waited = run.begun[peer(1_000)] ?? .max
        print("\(slow) slow peers: a newcomer is asked after \(waited) ms")
        #expect(waited <= millisecondsMax)
        let limits = ExchangeLimits()
        #expect(run.runningMax <= limits.placesMax + limits.placelessMax)
    }

    @Test func `40 slow peers of one subnet do not delay a newcomer of another`() {
        var run = Run()
        for number in 0..<40 { run.link(number, network: 7) }
        run.pass(50)
        run.link(1_000, network: 1_000)
        run.pass(200)
        #expect((run.begun[peer(1_000)] ?? .max) <= 200)
    }

    @Test func `a peer that answers regains its place`() {
        let limits = ExchangeLimits()
        var schedule = ExchangeSchedule(limits: limits, interval: .seconds(300), seed: 1)
        _ = schedule.handle(.wanted, at: .start)
        let places = limits.placesMax - limits.placesReserve
        for number in 0..<40 {
            let linked = ExchangeSchedule.Event.linked(peer(number), isOutbound: false, group: nil)
            _ = schedule.handle(linked, at: .start)
        }
        #expect(schedule.running.count == places)
        for one in schedule.running {
            #expect(schedule.handle(.keepsWaiting(one, true), at: .start).count == 1)
        }
        for one in schedule.running.prefix(places) {
            #expect(schedule.handle(.keepsWaiting(one, false), at: .start).isEmpty)
        }
        #expect(schedule.running.count == 2 * places)
    }
}

private func peer(_ number: Int) -> PeerID {
    PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
}
