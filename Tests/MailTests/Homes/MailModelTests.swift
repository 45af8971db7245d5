import Foundation
import Gossip
import GossipProtocol
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// A home under random deposits, collections, blocks and expiries, held to a simple model.
@Suite(.timeLimit(.minutes(2)))
struct MailModelTests {
    /// What waits, as the model has it.
    private struct Waiting {
        let hash: Bytes32
        let byteCount: UInt64
        /// The grant it came under; `nil` for a stranger's.
        let grant: Int?
        let origin: UInt8
        let expiresAt: Timestamp
    }

    private struct Model {
        var waiting: [Waiting] = []
        var ended: Set<Int> = []

        func load(_ isCounted: (Waiting) -> Bool) -> MailLoad {
            let counted = waiting.filter(isCounted)
            return MailLoad(
                envelopes: UInt64(counted.count),
                bytes: counted.reduce(0) { $0 + $1.byteCount }
            )
        }
    }

    private static var limits: StoreLimits {
        var limits = StoreLimits()
        (limits.strangersEnvelopesMax, limits.strangersBytesMax) = (12, 60_000)
        (limits.originEnvelopesMax, limits.originBytesMax) = (5, 20_000)
        (limits.recipientEnvelopesMax, limits.recipientBytesMax) = (30, 150_000)
        return limits
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a home stores exactly the mail that its model stores`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        try await ChatHarness.run { harness in
            let node = try await harness.start("one", in: folder, limits: Self.limits)
            let ana = try await node.createAccount("ana")
            await node.signOut()
            let bundle = try #require(try await node.mailStore.keys(of: ana).bundles.first)
            var home = Home(
                node: node,
                account: ana,
                device: DeviceCertificate.slot(of: try PrekeyBundle(bundle).device),
                now: harness.now,
                random: SeededRandom(seed: seed)
            )
            // The node's own pass told it Ana's grants; these are the test's in their place.
            try await home.sendGrants()
            for step in 0..<200 {
                try await home.step()
                try home.check("seed \(seed), step \(step)")
            }
            #expect(home.storedCount > 20, "seed \(seed)")
            #expect(home.refusedCount > 5, "seed \(seed)")
        }
    }

    /// The home, its model, and what happens to both.
    private struct Home {
        let node: ChatNode
        let account: Address
        let device: Bytes32
        var now: Timestamp
        var random: SeededRandom
        var model = Model()
        var (storedCount, refusedCount) = (0, 0)
        private let secret = Bytes32(repeating: 3)
        private var count = 0

        init(
            node: ChatNode,
            account: Address,
            device: Bytes32,
            now: Timestamp,
            random: SeededRandom
        ) {
            (self.node, self.account, self.device) = (node, account, device)
            (self.now, self.random) = (now, random)
        }

        private func grant(_ number: Int) -> MailGrant {
            MailGrant(id: Keccak256.hash("grant \(number)".utf8), under: secret)
        }

        func sendGrants() async throws {
            let refusal = try await node.mailStore.keepGrants(
                secret,
                ended: model.ended.map { grant($0).id }.sorted(),
                of: account,
                device: device
            )
            #expect(refusal == nil)
        }

        mutating func step() async throws {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<7: try await deposit(grant: Int.random(in: 0..<4, using: &random))
            case 7..<14: try await deposit(grant: nil)
            case 14..<17: try await collect()
            case 17:
                let grant = Int.random(in: 0..<4, using: &random)
                if model.ended.remove(grant) == nil { model.ended.insert(grant) }
                try await sendGrants()
            default: try await wait()
            }
        }

        private mutating func deposit(grant number: Int?) async throws {
            count += 1
            let bucket = MailPadding.buckets[Int.random(in: 0..<3, using: &random)]
            let days = Int64.random(in: 1...30, using: &random)
            let envelope = MailEnvelope(
                header: MailEnvelope.Header(
                    recipient: account,
                    device: device,
                    prekey: UInt32(count),
                    expiresAt: now.advanced(by: .days(days))
                ),
                sealed: random.bytes(count: bucket + Sealing.overheadBytes)
            )
            let origin = UInt8.random(in: 1...4, using: &random)
            let grant = number.map { self.grant($0) }
            let admission = try await admission(of: envelope, under: grant)
            let known = number.flatMap { model.ended.contains($0) ? nil : $0 }
            let expected = expectedRefusal(envelope, grant: known, origin: origin)
            #expect((known != nil) == (admission != .stranger))
            let refusal = try await node.mailStore.deposit(
                envelope,
                as: admission,
                from: Bytes32(repeating: origin),
                at: now
            )
            #expect(refusal == expected)
            if refusal != nil { refusedCount += 1 }
            guard refusal == nil else { return }
            storedCount += 1
            if known == nil { displace(for: envelope, origin) }
            let week = now.advanced(by: .days(7))
            model.waiting.append(
                Waiting(
                    hash: envelope.hash,
                    byteCount: MailLoad.weight(ofEnvelope: envelope.bytes.count),
                    grant: known,
                    origin: origin,
                    expiresAt: known == nil
                        ? min(week, envelope.header.expiresAt) : envelope.header.expiresAt
                )
            )
        }

        /// As whose the desk takes it, its work done.
        private func admission(
            of envelope: MailEnvelope,
            under grant: MailGrant?
        ) async throws -> MailAdmission {
            let peer = node.links.localPeer
            var recordService = MailServer(
                home: peer,
                network: "test",
                acceptsHomes: true,
                limits: ChatNode.mailLimits
            )
            var deposit = MailDeposit(envelope, under: grant, to: peer)
            let facts = try await node.mailStore.facts(
                of: account,
                device: device,
                deposit: deposit,
                from: .zero,
                at: now
            )
            for _ in 0..<2 {
                switch recordService.handle(.deposit(deposit), facts, challenge: .zero, at: now) {
                case .store(_, let admission): return admission
                case .wantWork(let work):
                    let subject = deposit.workSubject(at: peer, network: "test")
                    deposit.work = MailStamp.search(
                        for: subject,
                        work: work,
                        from: 1,
                        count: 1 << 24
                    )
                case let other:
                    Issue.record("not taken: \(other)")
                    return .stranger
                }
            }
            Issue.record("the price rose though nothing came")
            return .stranger
        }

        private func expectedRefusal(
            _ envelope: MailEnvelope,
            grant: Int?,
            origin: UInt8
        ) -> MailRefusal? {
            let limits = MailModelTests.limits
            let byteCount = MailLoad.weight(ofEnvelope: envelope.bytes.count)
            func fits(_ load: MailLoad, _ envelopesMax: UInt64, _ bytesMax: UInt64) -> Bool {
                load.envelopes < envelopesMax && load.bytes + byteCount <= bytesMax
            }
            if let grant {
                let all = model.load { $0.grant != nil }
                let own = model.load { $0.grant == grant }
                if !fits(all, limits.recipientEnvelopesMax, limits.recipientBytesMax) {
                    return .recipientOverQuota
                }
                // A quarter of what the other grants leave.
                let envelopesMax = limits.recipientEnvelopesMax - all.envelopes + own.envelopes
                let bytesMax = limits.recipientBytesMax - all.bytes + own.bytes
                return fits(own, envelopesMax / 4, bytesMax / 4) ? nil : .senderOverQuota
            }
            let all = model.load { $0.grant == nil }
            let own = model.load { $0.grant == nil && $0.origin == origin }
            let isOver = !fits(all, limits.strangersEnvelopesMax, limits.strangersBytesMax)
            if !fits(own, limits.originEnvelopesMax, limits.originBytesMax) {
                return isOver ? .strangersOverQuota : .senderOverQuota
            }
            return displaced(by: envelope, origin) == nil ? .strangersOverQuota : nil
        }

        private mutating func displace(for envelope: MailEnvelope, _ origin: UInt8) {
            let gone = Set(displaced(by: envelope, origin) ?? [])
            model.waiting.removeAll { gone.contains($0.hash) }
        }

        /// The newest of the origins that have most, until there is room; `nil` if one would have to go
        /// of an origin that then has less than this one.
        private func displaced(by envelope: MailEnvelope, _ own: UInt8) -> [Bytes32]? {
            let limits = MailModelTests.limits
            let byteCount = MailLoad.weight(ofEnvelope: envelope.bytes.count)
            var left = model.waiting.filter { $0.grant == nil }
            var gone: [Bytes32] = []
            while true {
                let bytes = left.reduce(0) { $0 + $1.byteCount }
                let isByCount = left.count >= Int(limits.strangersEnvelopesMax)
                guard isByCount || bytes + byteCount > limits.strangersBytesMax else { return gone }
                func size(_ origin: UInt8) -> UInt64 {
                    let mail = left.filter { $0.origin == origin }
                    return isByCount
                        ? UInt64(mail.count) : mail.reduce(0) { $0 + $1.byteCount }
                }
                let most = left.map { size($0.origin) }.max() ?? 0
                guard let last = left.lastIndex(where: { size($0.origin) == most }),
                    left[last].origin != own, most >= size(own) + (isByCount ? 1 : byteCount)
                else { return nil }
                gone.append(left.remove(at: last).hash)
            }
        }

        /// Collects a page, and acknowledges some of it, one number twice and one that is none.
        private mutating func collect() async throws {
            let page = try await node.mailStore.waiting(
                for: account,
                device: device,
                after: 0,
                limit: 10
            )
            #expect(page.map(\.envelope.hash) == model.waiting.prefix(10).map(\.hash))
            let taken = page.filter { _ in Bool.random(using: &random) }
            let numbers = taken.map(\.number) + taken.prefix(1).map(\.number) + [1 << 40]
            try await node.mailStore.acknowledge(numbers, of: account, device: device)
            let hashes = Set(taken.map(\.envelope.hash))
            model.waiting.removeAll { hashes.contains($0.hash) }
        }

        private mutating func wait() async throws {
            now = now.advanced(by: .days(Int64.random(in: 1...3, using: &random)))
            while try await node.store.write({ [now] in try $0.sweepMail(at: now) }) > 0 {}
            model.waiting.removeAll { $0.expiresAt <= now }
        }

        /// What is stored, its sums and the counters are the model's.
        func check(_ place: String) throws {
            let (stored, loads, all) = try node.store.read { transaction in
                (
                    try transaction.envelopes(for: account, device: device, limit: 1_000),
                    try transaction.mailLoads(of: account),
                    try transaction.mailLoads()
                )
            }
            #expect(stored.map(\.envelope.hash) == model.waiting.map(\.hash), "\(place)")
            let contacts = model.load { $0.grant != nil }
            let strangers = model.load { $0.grant == nil }
            #expect(loads.contacts == contacts && all.contacts == contacts, "\(place)")
            #expect(loads.strangers == strangers && all.strangers == strangers, "\(place)")
            let bytes = stored.reduce(0) {
                $0 + MailLoad.weight(ofEnvelope: $1.envelope.bytes.count)
            }
            #expect(bytes == contacts.bytes + strangers.bytes, "\(place)")
        }
    }
}
