import Concurrency
import Dispatch
import Gossip
import GossipProtocol
import Market
import Testing

@Suite(.timeLimit(.minutes(2)))
struct NameResolverTests {
    private static let own = [IPAddress(ip4: "127.0.0.1")].compactMap { $0 }

    @Test func `resolves this machine's own name`() async {
        let found = await NameResolver().addresses(of: "localhost", isOwn: false)
        #expect(found.contains { $0.text == "127.0.0.1" || $0.text == "::1" })
        // Number formats that only a resolver reads are validated by the resulting address.
        #expect(
            await NameResolver().addresses(of: "127.1", isOwn: false).map(\.reach) == [.machine]
        )
    }

    @Test func `gives up slow names and looks up only a few at a time`() async {
        let gate = DispatchSemaphore(value: 0)
        let resolver = NameResolver(lookUpsMax: 2, timeMax: .milliseconds(50)) { _ in
            gate.wait()
            return Self.own
        }
        #expect(await resolver.addresses(of: "one.example", isOwn: false) == [])
        #expect(await resolver.addresses(of: "two.example", isOwn: false) == [])
        // Both are still running in the system: the third is not even started.
        #expect(await resolver.addresses(of: "three.example", isOwn: false) == [])
        for _ in 0..<2 { gate.signal() }
        var found: [IPAddress] = []
        while found.isEmpty {
            gate.signal()
            found = await resolver.addresses(of: "four.example", isOwn: false)
        }
        #expect(found == Self.own)
    }

    /// - From peers: names that resolve slowly, to delay those of the configuration → strangers'
    ///   names have separate slots
    @Test func `strangers' slow names do not delay the operator's names`() async {
        let gate = DispatchSemaphore(value: 0)
        let resolver = NameResolver(lookUpsMax: 1, timeMax: .milliseconds(50)) { name in
            if name == "slow.example" { gate.wait() }
            return Self.own
        }
        #expect(await resolver.addresses(of: "slow.example", isOwn: false) == [])
        #expect(await resolver.addresses(of: "other.example", isOwn: false) == [])
        // The time limit is long enough for a look-up that does not block.
        var found: [IPAddress] = []
        while found.isEmpty { found = await resolver.addresses(of: "own.example", isOwn: true) }
        #expect(found == Self.own)
        gate.signal()
    }

    @Test func `a link connects to the address from a single lookup of its name`() async throws {
        let asked = BoundedQueue<String>(elementsMax: 4)
        let resolver = NameResolver { name in
            _ = asked.offer(name)
            return Self.own
        }
        let bo = try LinkPair.node()
        let ana = try LinkPair.node(resolver: resolver)
        let address = try await bo.listen(on: LinkPair.any)[0]
        let named = Multiaddr(host: .dns4("bo.example"), port: address.port, peer: address.peer)
        try await withThrowingTaskGroup { group in
            group.addTask { try await ana.run() }
            group.addTask { try await bo.run() }
            defer { group.cancelAll() }
            let peer = try await ana.dial(named)
            #expect(peer == bo.localPeer)
            #expect(await ana.links().map(\.address) == [address.expecting(nil)])
        }
        #expect([asked.poll(), asked.poll()] == ["bo.example", nil])
    }

    @Test func `reports a name without addresses as unknown`() async throws {
        let ana = try LinkPair.node(resolver: NameResolver { _ in [] })
        let nowhere = Multiaddr(host: .dns("nowhere.example"), port: 1)
        let unknown = LinkError.unreachable(nowhere, reason: "its name is not known")
        await #expect(throws: unknown) { try await ana.dial(nowhere) }
    }

    /// - From peers: a name with hundreds of addresses → four of them are tried
    @Test func `uses four addresses of a name with hundreds`() async throws {
        let many = (0..<300).compactMap {
            IPAddress(bytes: [9, 9, UInt8($0 / 250), UInt8($0 % 250)])
        }
        let links = try LinkPair.node(resolver: NameResolver { _ in many })
        let name = Multiaddr(host: .dns("home.example"), port: 1)
        #expect(await links.resolve(name).count == 4)
    }
}
