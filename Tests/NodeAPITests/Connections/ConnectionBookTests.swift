import Support
import Testing

@testable import NodeAPI

/// The pure parts of the API are no part of what NodeAPI offers, hence the testable import.
struct ConnectionBookTests {
    private static let limits = {
        var limits = ConnectionLimits()
        (limits.hereMax, limits.elsewhereMax, limits.networkMax) = (3, 4, 2)
        return limits
    }()

    /// - From people: more connections than there are slots, from a network that already has its
    ///   share, or while the operator's connections hold all slots → HTTP 503 with `Retry-After`;
    ///   the connection ends
    @Test func `limits places per network and in total, and reserves this machine's`() {
        var book = ConnectionBook(limits: Self.limits)
        let (one, two) = (Network("192.0.2.1"), Network("192.0.2.2"))
        let numbers = [one, one, two, two].map { enter($0, &book) }
        for number in numbers { book.work(number) }
        for network in [one, two] { #expect(book.enter(network) == .refused) }
        for address in ["127.0.0.1", "::1", "127.0.0.2"] {
            book.trust(enter(Network(address), &book))
        }
        #expect(book.enter(Network("127.0.0.1")) == .refused)
        #expect(book.count == 7)
        book.leave(numbers[0])
        #expect(book.enter(two) == .refused)
        _ = enter(nil, &book)
        #expect(book.count == 7)
    }

    @Test func `WebSockets leave their slots to requests, as far as there are others`() {
        var book = ConnectionBook(limits: Self.limits)
        let one = Network("192.0.2.1")
        var sockets: [UInt64] = []
        for network in [nil, one] {
            // As many sockets as slots; one more keeps a slot of the requests.
            let most = network == nil ? Self.limits.hereMax : Self.limits.networkMax
            for _ in 0...most {
                let socket = enter(network ?? Network("127.0.0.1"), &book)
                book.becomeSocket(socket)
                book.work(socket)
                sockets.append(socket)
            }
        }
        #expect(book.count == 7)
        // Two of this machine, and one of the network, which may have two.
        for _ in 0..<2 { book.work(enter(Network("127.0.0.1"), &book)) }
        book.work(enter(one, &book))
        #expect(book.enter(one) == .refused)
        // It takes the slot of the request in progress longest: the socket without a slot.
        #expect(closing(book.enter(Network("127.0.0.1"))) == sockets[3])
        for socket in sockets { book.leave(socket) }
        book.leave(sockets[0])
        #expect(book.count == 4)
    }

    @Test func `sockets of one network leave slots to the other networks`() {
        var book = ConnectionBook(limits: Self.limits)
        let (one, two) = (Network("192.0.2.1"), Network("192.0.2.2"))
        var sockets: [UInt64] = []
        // The network's share of sockets, and then of requests.
        for _ in 0..<4 {
            sockets.append(enter(one, &book))
            book.becomeSocket(sockets[sockets.count - 1])
            book.work(sockets[sockets.count - 1])
        }
        #expect(book.enter(one) == .refused)
        for _ in 0..<2 { book.becomeSocket(enter(two, &book)) }
        book.work(enter(two, &book))
        #expect(book.count == 7)
        // A socket that ends gives its slot back to its network.
        book.leave(sockets[0])
        #expect(book.enter(one) == .refused)
        book.becomeSocket(sockets[2])
        book.work(enter(one, &book))
        #expect(book.count == 7)
    }

    /// - From people: connections from other machines while all slots for these are taken → the
    ///   longest idle connection of the network with the most is closed
    @Test func `a full port makes room for a caller elsewhere if others are idle`() {
        var book = ConnectionBook(limits: ConnectionLimits.api(files: 65_536))
        let here = enter(Network("127.0.0.1"), &book)
        var held: [UInt64] = []
        for _ in 0..<32 {
            for number in 1...8 { held.append(enter(Network("46.80.\(number).1"), &book)) }
        }
        // Its client sends now and then, as the longest idle ones do not.
        book.work(held[0])
        book.wait(held[0])
        let caller = Network("45.210.0.1")
        #expect(closing(book.enter(caller)) == held[1])
        #expect(closing(book.enter(caller)) == held[2])
        // As long as its own network has fewer than another.
        for _ in 0..<20 { _ = enter(caller, &book) }
        #expect(book.count == 257)
        book.leave(here)
        #expect(book.count == 256)
    }

    @Test func `idle connections lose their places first, the operator's never`() {
        var book = ConnectionBook(limits: Self.limits)
        let (one, two) = (Network("192.0.2.1"), Network("192.0.2.2"))
        let numbers = [one, one, two, two].map { enter($0, &book) }
        book.trust(numbers[0])
        book.work(numbers[2])
        // Of those of equal networks the one that waits longest.
        #expect(closing(book.enter(Network("192.0.2.3"))) == numbers[1])
        #expect(closing(book.enter(Network("192.0.2.4"))) == numbers[3])
    }

    @Test func `silent programs of this machine do not shut out the operator`() {
        var book = ConnectionBook(limits: Self.limits)
        let here = Network("127.0.0.1")
        let silent = (0..<3).map { _ in enter(here, &book) }
        let next = book.enter(here)
        #expect(closing(next) == silent[0])
        guard case .admitted(let own, _) = next else { return }
        book.trust(own)
        // Whatever others do, and however long it waits.
        book.work(silent[1])
        #expect(closing(book.enter(here)) == silent[2])
        let busy = enter(here, &book)
        book.work(busy)
        #expect(closing(book.enter(here)) == silent[1])
        for _ in 0..<10 { #expect(closing(book.enter(here)) != own) }
        #expect(book.count == 3)
    }

    @Test func `a network with all places busy loses one to a caller elsewhere`() {
        var book = ConnectionBook(limits: Self.limits)
        let (one, two) = (Network("192.0.2.1"), Network("192.0.2.2"))
        let numbers = [one, one, two, two].map { enter($0, &book) }
        for number in numbers { book.work(number) }
        let next = book.enter(Network("192.0.2.3"))
        #expect(closing(next) == numbers[0])
        // Now no network has two more than another caller would have.
        if case .admitted(let number, _) = next { book.work(number) }
        book.leave(numbers[2])
        book.work(enter(Network("192.0.2.4"), &book))
        #expect(book.enter(Network("192.0.2.5")) == .refused)
    }

    @Test func `busy addresses of one subnet do not shut out another subnet`() {
        var book = ConnectionBook(limits: Self.limits)
        let numbers = (1...4).map { enter(Network("192.0.2.\($0)"), &book) }
        for number in numbers { book.work(number) }
        #expect(book.enter(Network("192.0.2.5")) == .refused)
        #expect(closing(book.enter(Network("198.51.100.1"))) == numbers[0])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `keeps its bounds and loses no place, whoever connects`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var book = ConnectionBook(limits: Self.limits)
        let networks = [
            "127.0.0.1", "192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1",
        ].map(Network.init)
        var open: [UInt64: Network?] = [:]
        for _ in 0..<2_000 {
            let number = open.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<5, using: &random), number) {
            case (0...1, _), (_, nil):
                guard let network = networks.randomElement(using: &random),
                    case .admitted(let number, let closing) = book.enter(network)
                else { break }
                open[number] = network
                if let closing { #expect(open.removeValue(forKey: closing) != nil) }
            case (2, let number?): book.wait(number)
            case (3, let number?): book.work(number)
            case (_, let number?):
                book.leave(number)
                // Both its handlers and its successor may give the place back.
                book.leave(number)
                open[number] = nil
            }
            let here = open.values.count { $0?.isThisMachine == true }
            #expect(book.count == open.count && here <= 3 && open.count - here <= 4)
        }
        for number in open.keys { book.leave(number) }
        #expect(book.count == 0)
    }

    @Test func `lowers the number of places if few files may be open`() {
        let (api, health) = (ConnectionLimits.api(files:), ConnectionLimits.health(files:))
        #expect(api(65_536) == ConnectionLimits())
        for files in [1_024, 4_096, 65_536] {
            let all = [api(files), health(files)].map { $0.hereMax + $0.elsewhereMax }
            #expect(all.reduce(0, +) <= files / 2)
        }
    }

    private func enter(_ network: Network?, _ book: inout ConnectionBook) -> UInt64 {
        guard case .admitted(let number, _) = book.enter(network) else {
            Issue.record("no place for \(network?.name ?? "an unknown network")")
            return 0
        }
        return number
    }

    private func closing(_ decision: ConnectionBook.Decision) -> UInt64? {
        if case .admitted(_, let closing) = decision { closing } else { nil }
    }
}
