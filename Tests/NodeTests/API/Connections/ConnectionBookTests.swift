import Support
import Testing

@testable import Node

/// The pure parts of the API are no part of what Node offers, hence the testable import.
struct ConnectionBookTests {
    private static let limits = {
        var limits = ConnectionLimits()
        (limits.hereMax, limits.elsewhereMax, limits.networkMax) = (3, 4, 2)
        return limits
    }()

    @Test func `one network has a few places, all of them some more, and this machine its own`() {
        var book = ConnectionBook(limits: Self.limits)
        let (one, two) = (Network("192.0.2.1"), Network("192.0.2.2"))
        for network in [one, one, two, two] { #expect(book.enter(network) == true) }
        for network in [one, two, Network("192.0.2.3"), nil] {
            #expect(book.enter(network) == false)
        }
        for address in ["127.0.0.1", "::1", "127.0.0.2"] {
            #expect(book.enter(Network(address)) == true)
        }
        #expect(book.enter(Network("127.0.0.1")) == false)
        #expect(book.count == 7)
        book.leave(one)
        #expect(book.enter(two) == false)
        #expect(book.enter(nil) == true)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `whoever comes and goes, the bounds hold and no place is lost`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var book = ConnectionBook(limits: Self.limits)
        let networks = ["127.0.0.1", "192.0.2.1", "192.0.2.2", "2001:db8::1"].map(Network.init)
        var open: [Network?] = []
        for _ in 0..<2_000 {
            if Bool.random(using: &random), let network = networks.randomElement(using: &random) {
                if book.enter(network) { open.append(network) }
            } else if let place = open.indices.randomElement(using: &random) {
                book.leave(open.remove(at: place))
            }
            let here = open.count { $0?.isThisMachine == true }
            #expect(book.count == open.count && here <= 3 && open.count - here <= 4)
        }
        for network in open { book.leave(network) }
        #expect(book.count == 0)
    }

    @Test func `places are fewer if few files may be open`() {
        let (api, health) = (ConnectionLimits.api(files:), ConnectionLimits.health(files:))
        #expect(api(65_536) == ConnectionLimits())
        for files in [1_024, 4_096, 65_536] {
            let all = [api(files), health(files)].map { $0.hereMax + $0.elsewhereMax }
            #expect(all.reduce(0, +) <= files / 2)
        }
    }
}
