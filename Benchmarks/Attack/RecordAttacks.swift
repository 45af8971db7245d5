import Gossip
import GossipProtocol
import Keys
import Market
import Synchronization

/// What a stranger does with records of accounts that cost nothing.
///
/// The network asks for stamps of few tries, as if the attacker had a thousand times the machine.
enum RecordAttacks {
    static let rules = OpenLaneRules(triesPerKibibyte: 16)

    static let all = [
        Attack(
            name: "open",
            words: "stamped profiles of 2 KiB, each of a new account, over one link, 1,000/s",
            rate: 1_000,
            run: flood
        ),
        Attack(
            name: "reconnecting",
            words: "the same, of a new key after every 500, 2,000/s",
            rate: 2_000,
            run: { run in try await flood(run, messagesOfOneKey: 500) }
        ),
        Attack(
            name: "unstamped",
            words: "the same without stamps, 2,000/s",
            rate: 2_000,
            run: { run in
                try await send(run) { try profile(run, aboutBytes: 1_600, isStamped: false) }
            }
        ),
        Attack(
            name: "held",
            words: "reviews of 4 KiB of sales that nobody saw, 1,000/s",
            rate: 1_000,
            run: { run in try await send(run) { try review(run) } }
        ),
        Attack(
            name: "anchored",
            words:
                "versions of the profile (2 KiB) and of 16 devices of an author with one sale, 1,000/s",
            rate: 1_000,
            isOfSeller: true,
            run: versions
        ),
    ]

    static func flood(_ run: AttackRun) async throws {
        try await flood(run, messagesOfOneKey: .max)
    }

    private static func flood(_ run: AttackRun, messagesOfOneKey: Int) async throws {
        try await send(run, messagesOfOneKey: messagesOfOneKey) {
            try profile(run, aboutBytes: 1_600)
        }
    }

    /// Sends what `make` makes, ten in a frame.
    private static func send(
        _ run: AttackRun,
        messagesOfOneKey: Int = .max,
        _ make: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        try await run.always {
            try await run.gossip { stream in
                var rest = messagesOfOneKey
                while rest > 0 {
                    try await run.pace(10)
                    var frame = GossipRPC()
                    frame.messages = try (0..<10).map { _ in
                        GossipMessage(topic: run.topic, data: try make())
                    }
                    try await stream.writeMessage(frame.encoded())
                    run.done(10)
                    rest -= 10
                }
            }
        }
    }

    static func profile(
        _ run: AttackRun,
        aboutBytes: Int,
        isStamped: Bool = true
    ) throws -> [UInt8] {
        let about = String(repeating: "x", count: aboutBytes)
        let record = try record(run, .profile(try Profile(name: "Nobody", about: about)))
        return isStamped ? try rules.stamped(record).bytes : record.bytes
    }

    private static func versions(_ run: AttackRun) async throws {
        let seller = try BenchmarkAccount.key()
        let devices = (0..<16).map { _ in PrivateKey.random().publicKey }
        let about = String(repeating: "x", count: 1_600)
        let turn = Atomic<Int>(0)
        try await send(run) {
            let number = turn.add(1, ordering: .relaxed).newValue
            let name = "Version \(number)"
            guard !number.isMultiple(of: 2) else {
                let profile = try Profile(name: name, about: about)
                return try record(run, .profile(profile), by: seller).bytes
            }
            let device = try DeviceCertificate(key: devices[number / 2 % 16], name: name)
            return try record(run, .device(device), by: seller).bytes
        }
    }

    private static func review(_ run: AttackRun) throws -> [UInt8] {
        let contract = ContractReference(
            chain: ChainID(1),
            address: PrivateKey.random().address
        )
        let review = try Review(
            sale: SaleReference(contract: contract, id: SaleID(.random())),
            stars: 1,
            text: String(repeating: "x", count: 3_800),
            outcome: .complete,
            currency: .native,
            price: Amount(small: 1)
        )
        return try record(run, .review(review)).bytes
    }

    private static func record(
        _ run: AttackRun,
        _ content: RecordContent,
        by author: PrivateKey = .random()
    ) throws -> SignedRecord {
        let slot: Bytes32 =
            switch content {
            case .review(let review): Review.slot(of: review.sale, reviewer: author.address)
            case .device(let device): DeviceCertificate.slot(of: device.key)
            default: .zero
            }
        return try RecordDraft(
            network: run.target.network,
            author: author.address,
            content: content,
            slot: slot,
            createdAt: BenchmarkPeer.now()
        ).signed(by: author)
    }
}
