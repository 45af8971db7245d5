import Concurrency
import Gossip
import GossipProtocol
import Keys
import Logging
import Market
import Support
import Synchronization
import Testing

/// Homes and the nodes that ask them, over real links.
@Suite(.timeLimit(.minutes(5)))
struct MailExchangeTests {
    private static func exchange(
        _ links: Links,
        _ identity: PrivateKey,
        _ mailStore: MemoryMailStore,
        _ limits: MailLimits = MailSamples.freeLimits,
        addresses: [Multiaddr] = [],
        charge: @escaping @Sendable (PeerID, PeerOffence) async -> Void = { _, _ in },
        noteUse: @escaping @Sendable (PeerID) async -> Void = { _ in },
        dials: (any HomeDials)? = nil
    ) -> MailExchange {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return MailExchange(
            links: links,
            mailStore: mailStore,
            identity: identity,
            settings: MailSettings(
                network: MailSamples.network,
                acceptsHomes: true,
                lease: .days(60),
                quotaByteCount: 1 << 20,
                limits: limits
            ),
            addresses: { addresses },
            now: { MailSamples.now },
            charge: charge,
            noteUse: noteUse,
            dials: dials,
            logger: logger
        )
    }

    /// Runs `body` with a home and a node that asks it, linked over TLS on the loopback interface.
    private static func with(
        _ limits: MailLimits = MailSamples.freeLimits,
        charge: @escaping @Sendable (PeerID, PeerOffence) async -> Void = { _, _ in },
        noteUse: @escaping @Sendable (PeerID) async -> Void = { _ in },
        _ body: @Sendable (MailExchange, _ home: PeerID, MemoryMailStore) async throws -> Void
    ) async throws {
        let identity = PrivateKey.random()
        let asking = try LinkPair.node(identity: identity)
        let serving = try LinkPair.node(identity: MailSamples.home)
        let mailStore = MemoryMailStore(devices: [MailSamples.anasPhone.publicKey])
        await exchange(
            serving,
            MailSamples.home,
            mailStore,
            limits,
            charge: charge,
            noteUse: noteUse
        ).register()
        let address = try await serving.listen(on: LinkPair.any)[0]
        try await withThrowingTaskGroup { group in
            group.addTask { try await asking.run() }
            group.addTask { try await serving.run() }
            defer { group.cancelAll() }
            let exchange = exchange(asking, identity, MemoryMailStore(devices: []))
            try await exchange.reach(MailSamples.homePeer, at: [address.expecting(nil)])
            try await body(exchange, MailSamples.homePeer, mailStore)
        }
    }

    @Test func `questions about a large vault are rate-limited and delay no others`() async throws {
        try await Self.with { exchange, home, mailStore in
            let clock = SystemMonotonicClock()
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            // A second's look-ups for one question.
            await mailStore.setVaultCost(MailLimits().vaultLookUpsPerSecond)
            func ask() async throws -> Duration {
                let start = clock.uptime
                try await exchange.exchangeVault(
                    of: MailSamples.ana.address,
                    device: MailSamples.anasPhone,
                    with: home
                ) { _ in }
                return clock.uptime - start
            }
            // The first uses up what there is at once.
            _ = try await ask()
            try await withThrowingTaskGroup { group in
                group.addTask { try await ask() }
                let start = clock.uptime
                for _ in 0..<4 {
                    _ = try await exchange.askLease(of: home, by: MailSamples.ana)
                }
                let leases = clock.uptime - start
                let vault = try await group.next() ?? .zero
                #expect(vault >= .milliseconds(400), "\(vault)")
                #expect(leases < vault)
            }
        }
    }

    @Test func `mail travels to a home and from there to its device, page by page`() async throws {
        var limits = MailSamples.freeLimits
        limits.collectedMax = 2
        try await Self.with(limits) { exchange, home, mailStore in
            let lease = try await exchange.askLease(of: home, by: MailSamples.ana)
            #expect(lease.isGranted(to: MailSamples.ana.address))
            let bundle = try MailSamples.bundle()
            try await exchange.publish(bundle, records: [], at: home)
            let keys = try await exchange.keys(of: MailSamples.ana.address, from: home)
            #expect(keys.bundles == [bundle.bytes])

            let sent = try (1...5 as ClosedRange<UInt64>).map { try MailSamples.envelope($0) }
            let refusals = try await exchange.deposit(sent, at: home)
            #expect(refusals.isEmpty)
            #expect(await mailStore.envelopes == sent)

            var collected: [MailEnvelope] = []
            let count = try await exchange.collect(
                MailSamples.ana.address,
                device: MailSamples.anasPhone,
                from: home
            ) { entry in
                collected.append(entry.envelope)
                return entry.number != 3
            }
            #expect(collected == sent)
            #expect(count == 4)
            #expect(await mailStore.envelopes == [sent[2]])
        }
    }

    @Test func `refuses a peer that asks too often`() async throws {
        var limits = MailSamples.freeLimits
        limits.burstMax = 2
        limits.questionsPerSecond = 0.000_1
        try await Self.with(limits) { exchange, home, _ in
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            _ = try await exchange.askLease(of: home, by: MailSamples.bo)
            await #expect(throws: MailRefusal.tooOften) {
                try await exchange.askLease(of: home, by: MailSamples.key("eve"))
            }
        }
    }

    /// - From peers: a home's name that leads to this machine → not dialled
    @Test func `a public node does not dial a home's name that resolves to itself`() async throws {
        let own = [IPAddress(ip4: "127.0.0.1")].compactMap { $0 }
        let serving = try LinkPair.node(identity: MailSamples.home)
        let address = try await serving.listen(on: LinkPair.any)[0]
        let name = Multiaddr(host: .dns("home.example"), port: address.port)
        let identity = PrivateKey.random()
        let asking = try LinkPair.node(identity: identity, resolver: NameResolver { _ in own })
        let published = try #require(Multiaddr(text: "/ip4/203.0.113.9/tcp/1"))
        try await withThrowingTaskGroup { group in
            group.addTask { try await asking.run() }
            group.addTask { try await serving.run() }
            defer { group.cancelAll() }
            let mailStore = MemoryMailStore(devices: [])
            let far = Self.exchange(asking, identity, mailStore, addresses: [published])
            await #expect(throws: LinkError.notLinked(MailSamples.homePeer)) {
                try await far.reach(MailSamples.homePeer, at: [name])
            }
            // A node on the same machine reaches it by the same name.
            let near = Self.exchange(asking, identity, mailStore, addresses: [address])
            try await near.reach(MailSamples.homePeer, at: [name])
            #expect(await asking.links().count == 1)
        }
    }

    @Test func `dials to homes of own accounts are not limited`() async throws {
        let serving = try LinkPair.node(identity: MailSamples.home)
        let address = try await serving.listen(on: LinkPair.any)[0].expecting(nil)
        let identity = PrivateKey.random()
        let asking = try LinkPair.node(identity: identity)
        try await withThrowingTaskGroup { group in
            group.addTask { try await asking.run() }
            group.addTask { try await serving.run() }
            defer { group.cancelAll() }
            let mailStore = MemoryMailStore(devices: [])
            let exchange = Self.exchange(asking, identity, mailStore, dials: NoDials())
            await #expect(throws: LinkError.notLinked(MailSamples.homePeer)) {
                try await exchange.reach(MailSamples.homePeer, at: [address])
            }
            try await exchange.reach(MailSamples.homePeer, at: [address], own: true)
            #expect(await asking.links().count == 1)
        }
    }

    @Test func `a peer has a limited number of streams`() async throws {
        var limits = MailSamples.freeLimits
        limits.streamsPerPeerMax = 2
        try await Self.with(limits) { exchange, home, _ in
            func ask(_ stream: any PeerStream) async throws -> MailAnswer {
                try await stream.writeMessage(MailQuestion.collect(after: 0).bytes)
                var answers = stream.messages(bytesMax: 1_000)
                guard let answer = try await answers.next() else { throw LinkError.cutOff }
                return try MailAnswer(answer, limits: MailLimits())
            }
            var held: [any PeerStream] = []
            for _ in 0..<2 {
                let stream = try await exchange.links.open(
                    protocols: [MailExchange.protocolID],
                    to: home
                )
                #expect(try await ask(stream) == .refused(.notProved))
                held.append(stream)
            }
            await #expect(throws: LinkError.self) {
                let stream = try await exchange.links.open(
                    protocols: [MailExchange.protocolID],
                    to: home
                )
                _ = try await ask(stream)
            }
            for stream in held { stream.reset() }
        }
    }

    @Test func `a stranger pays the home's price, and nothing once it has a grant`() async throws {
        var limits = MailLimits()
        (limits.depositWork, limits.leaseWork) = (64, 64)
        try await Self.with(limits) { exchange, home, mailStore in
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            let secret = Bytes32(repeating: 5)
            let (ana, phone) = (MailSamples.ana.address, MailSamples.anasPhone)
            try await exchange.sendGrants(secret, ended: [], of: ana, device: phone, to: home)
            let grant = MailGrant(id: Bytes32(repeating: 6), under: secret)
            let envelopes = try (1...3 as ClosedRange<UInt64>).map { try MailSamples.envelope($0) }
            let first = try await exchange.deposit([envelopes[0]], at: home)
            let second = try await exchange.deposit([envelopes[1]], under: grant, at: home)
            try await exchange.sendGrants(
                secret,
                ended: [grant.id],
                of: ana,
                device: phone,
                to: home
            )
            let third = try await exchange.deposit([envelopes[2]], under: grant, at: home)
            #expect(first.isEmpty && second.isEmpty && third.isEmpty)
            #expect(
                await mailStore.admissions == [.stranger, .contact(grant: grant.id), .stranger]
            )
        }
    }

    @Test func `refuses a price above this node's limit`() async throws {
        var limits = MailLimits()
        (limits.leaseWork, limits.depositWork, limits.depositWorkMax) = (0, 1 << 40, 1 << 46)
        try await Self.with(limits) { exchange, home, _ in
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            let envelope = try MailSamples.envelope()
            let refusals = try await exchange.deposit([envelope], at: home)
            #expect(refusals == [envelope.hash: .workTooDear])
        }
    }

    @Test func `works no second time for a home that demands again`() async throws {
        let serving = try LinkPair.node(identity: MailSamples.home)
        let asking = try LinkPair.node(identity: PrivateKey.random())
        var limits = MailLimits()
        (limits.leaseWorkMax, limits.depositWorkMax) = (100, 100)
        limits.depositWork = 1
        let questionCount = Mutex(0)
        await serving.handle(protocol: MailExchange.protocolID) { stream in
            var frames = stream.messages(bytesMax: 65_536)
            while try await frames.next(within: .seconds(10)) != nil {
                questionCount.withLock { $0 += 1 }
                try await stream.writeMessage(
                    MailAnswer.workWanted(60).bytes,
                    within: .seconds(10)
                )
            }
        }
        let address = try await serving.listen(on: LinkPair.any)[0]
        try await withThrowingTaskGroup { group in
            group.addTask { try await asking.run() }
            group.addTask { try await serving.run() }
            defer { group.cancelAll() }
            let exchange = Self.exchange(
                asking,
                PrivateKey.random(),
                MemoryMailStore(devices: []),
                limits
            )
            let home = MailSamples.homePeer
            try await exchange.reach(home, at: [address.expecting(nil)])
            await #expect(throws: MailRefusal.workTooDear) {
                _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            }
            #expect(questionCount.withLock { $0 } == 2)
            let envelope = try MailSamples.envelope()
            let refusals = try await exchange.deposit([envelope], at: home)
            #expect(refusals == [envelope.hash: .workTooDear])
            #expect(questionCount.withLock { $0 } == 4)
        }
    }

    @Test func `remembers accepted deposits even if the rest fails`() async throws {
        var limits = MailLimits()
        (limits.depositWork, limits.leaseWork, limits.questionsMax) = (16, 0, 5)
        try await Self.with(limits) { exchange, home, mailStore in
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            let envelopes = try (1...3 as ClosedRange<UInt64>).map { try MailSamples.envelope($0) }
            // Each costs one question for the price and one with the work; the sixth is not served.
            var held: [Bytes32] = []
            await #expect(throws: LinkError.self) {
                try await exchange.deposit(envelopes, at: home) { envelope, refusal in
                    if refusal == nil { held.append(envelope) }
                }
            }
            #expect(held == envelopes.prefix(2).map(\.hash))
            // The first two are paid for already, so five questions are enough now.
            #expect(try await exchange.deposit(envelopes, at: home).isEmpty)
            #expect(await mailStore.envelopes == envelopes)
        }
    }

    @Test func `an answer that demands work does not count as use of the link`() async throws {
        var limits = MailLimits()
        (limits.depositWork, limits.depositWorkMax, limits.leaseWork) = (1 << 40, 1 << 46, 0)
        let used = BoundedQueue<PeerID>(elementsMax: 8)
        try await Self.with(limits, noteUse: { await used.send($0) }) { exchange, home, _ in
            let envelope = try MailSamples.envelope()
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            _ = try await exchange.deposit([envelope], at: home)
            _ = try await exchange.askLease(of: home, by: MailSamples.ana)
            used.finish()
            var count = 0
            while await used.receive() != nil { count += 1 }
            #expect(count == 2)
        }
    }

    /// - From peers: invalid mail questions, or too many → charged; finally banned
    @Test func `charges a peer that sends nonsense or asks too often`() async throws {
        var limits = MailSamples.freeLimits
        limits.burstMax = 3
        limits.questionsPerSecond = 0.000_1
        let charged = BoundedQueue<PeerOffence>(elementsMax: 8)
        try await Self.with(limits, charge: { _, offence in await charged.send(offence) }) {
            exchange,
            home,
            _ in
            let garbage: [UInt8] = [0xFF, 0xFF, 1]
            func ask(_ frame: [UInt8]) async throws -> MailAnswer? {
                let stream = try await exchange.links.open(
                    protocols: [MailExchange.protocolID],
                    to: home
                )
                try await stream.writeMessage(frame)
                var answers = stream.messages(bytesMax: 1_000)
                return try await answers.next().map { try MailAnswer($0, limits: MailLimits()) }
            }
            await #expect(throws: LinkError.self) { try await ask(garbage) }
            #expect(await charged.receive() == .malformedMail)
            for _ in 0..<2 { _ = try await exchange.askLease(of: home, by: MailSamples.ana) }
            let envelopes = try (1...4 as ClosedRange<UInt64>).map { try MailSamples.envelope($0) }
            let refusals = try await exchange.deposit(envelopes, at: home)
            // The home was asked once, and the rest not tried.
            #expect(refusals.count == 4 && refusals.values.allSatisfy { $0 == .tooOften })
            #expect(await charged.receive()?.name == "mail_too_often")
            // The home does not read questions of a peer that asks too often, as that may cost a
            // signature check.
            #expect(try await ask(garbage) == .refused(.tooOften))
        }
    }
}

/// Forbids all dials.
private struct NoDials: HomeDials {
    func mayDial(_ address: Multiaddr, of home: PeerID) -> Bool { false }

    func mayDial(resolved address: Multiaddr) -> Bool { false }

    func wasReached(by name: Multiaddr) {}
}
