import Gossip
import GossipProtocol
import Keys
import Market

/// What a stranger does in `/meshsub/1.1.0`, `/stoa/records/1` and `/stoa/peers/1`.
enum GossipAttacks {
    static let all = [
        Attack(
            name: "duplicates",
            words: "copies of one message, 20,000/s",
            rate: 20_000,
            run: duplicates
        ),
        Attack(
            name: "wants",
            words: "ids asked for that never were here, 100,000/s",
            rate: 100_000,
            run: wants
        ),
        Attack(name: "empty", words: "empty frames, 5,000/s", rate: 5_000, run: empty),
        Attack(
            name: "tiny",
            words: "frames of 2,048 messages without topic and data, 200,000 messages/s",
            rate: 200_000,
            least: 2_048,
            run: tiny
        ),
        Attack(
            name: "marks",
            words: "GRAFTs with a topic of 380 KB of combining marks, 2/s",
            rate: 2,
            run: marks
        ),
        Attack(
            name: "pages",
            words: "questions for pages of a topic that nobody has, 20,000/s",
            rate: 20_000,
            run: questions
        ),
        Attack(
            name: "malformed",
            words: "frames that do not decode, each of a new key, 50/s",
            rate: 50,
            run: malformed
        ),
        Attack(
            name: "forged",
            words: "messages with a wrong signature (StrictSign), 5,000/s",
            rate: 5_000,
            isOnSigningNetwork: true,
            run: forged
        ),
        Attack(
            name: "deaf",
            words:
                "31 peers of the mesh that read nothing, and one that floods 2 KiB records, 500/s",
            rate: 500,
            run: deaf
        ),
        Attack(
            name: "slow",
            words: "32 peers that answer each question of an exchange after 25 s",
            rate: 1_000,
            run: slow
        ),
        Attack(
            name: "told",
            words: "32 peers that each send 32 invented peer records every 2 s",
            rate: 1_000,
            run: told
        ),
    ]

    private static func duplicates(_ run: AttackRun) async throws {
        let message = try RecordAttacks.profile(run, aboutBytes: 0)
        var frame = GossipRPC()
        frame.messages = Array(
            repeating: GossipMessage(topic: run.topic, data: message),
            count: 100
        )
        try await frames(run, frame.encoded(), units: 100)
    }

    private static func wants(_ run: AttackRun) async throws {
        var frame = GossipRPC()
        frame.wanted = (0..<5_000).map { _ in MessageID(bytes: Bytes32.random().bytes) }
        try await frames(run, frame.encoded(), units: 5_000)
    }

    private static func empty(_ run: AttackRun) async throws {
        try await frames(run, [], units: 1)
    }

    private static func tiny(_ run: AttackRun) async throws {
        let count = 2_048
        try await frames(
            run,
            (0..<count).flatMap { _ in field(2, []) },
            units: count
        )
    }

    /// To put the marks in order takes time that grows with the square of their number.
    private static func marks(_ run: AttackRun) async throws {
        let topic = "a" + String(repeating: "\u{315}\u{300}\u{31B}\u{321}", count: 47_500)
        var frame = GossipRPC()
        frame.meshChanges = [.graft(Topic(topic))]
        try await frames(run, frame.encoded(), units: 1)
    }

    /// Counts in chunks of 100 questions.
    private static func questions(_ run: AttackRun) async throws {
        let question = RecordQuestion.page(Topic("z"), after: nil, idsMax: 1).encoded()
        let message = Varint.encode(question.count) + question
        let bytes = Array(repeatElement(message, count: 100).joined())
        try await run.always {
            try await run.link { links in
                while true {
                    let stream = try await links.open(protocols: ["/stoa/records/1"], to: run.peer)
                    async let answers: Void = drain(stream)
                    // One that is refused ends, and the next one is opened.
                    do {
                        while true {
                            try await run.pace(100)
                            try await stream.write(bytes)
                            run.done(100)
                        }
                    } catch {}
                    try? await answers
                }
            }
        }
    }

    private static func drain(_ stream: any PeerStream) async throws {
        while try await stream.read(atMost: 65_536) != nil {}
    }

    private static func malformed(_ run: AttackRun) async throws {
        while true {
            try await run.pace()
            // A key that is refused is one more that was tried.
            try? await run.gossip { stream in
                try await stream.writeMessage([0xFF, 0xFF, 0xFF])
                _ = try await stream.read(atMost: 1, within: .seconds(1))
            }
            run.done()
        }
    }

    private static func forged(_ run: AttackRun) async throws {
        let policy = MessagePolicy.strictSign(PrivateKey.random())
        try await run.always {
            try await run.gossip { stream in
                while true {
                    try await run.pace(50)
                    var frame = GossipRPC()
                    frame.messages = (0..<50).map { _ in
                        // Signed as it should be, but over other words.
                        let sequence = UInt64.random(in: 0 ... .max)
                        let good = policy.message([1, 2, 3], on: run.topic, sequence: sequence)
                        return GossipMessage(topic: run.topic, data: [1, 2, 4], seal: good.seal)
                    }
                    try await stream.writeMessage(frame.encoded())
                    run.done(50)
                }
            }
        }
    }

    private static func deaf(_ run: AttackRun) async throws {
        var hello = GossipRPC()
        hello.subscriptions = [GossipRPC.Subscription(topic: run.topic, isWanted: true)]
        hello.meshChanges = [.graft(run.topic)]
        let frame = hello.encoded()
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<31 {
                group.addTask {
                    try await run.always {
                        try await run.link(answering: [
                            "/meshsub/1.1.0": { _ in
                                try await Task.sleep(for: .seconds(3_600))
                            }
                        ]) { links in
                            let stream = try await links.open(
                                protocols: ["/meshsub/1.1.0"],
                                to: run.peer
                            )
                            try await stream.writeMessage(frame)
                            try await Task.sleep(for: .seconds(3_600))
                        }
                    }
                }
            }
            group.addTask { try await RecordAttacks.flood(run) }
        }
    }

    private static func slow(_ run: AttackRun) async throws {
        try await crowd(
            run,
            answering: [
                "/stoa/records/1": { stream in
                    while try await stream.read(atMost: 4_096) != nil {
                        run.done()
                        try await Task.sleep(for: .seconds(25))
                        try await stream.writeMessage(RecordAnswer.page([], isLast: true).encoded())
                    }
                }
            ]
        )
    }

    private static func told(_ run: AttackRun) async throws {
        try await crowd(
            run,
            anewAfter: .seconds(2),
            answering: [
                "/stoa/peers/1": { stream in
                    let records = (0..<32).flatMap { number in
                        let key = PrivateKey.random()
                        let peer = HostKey(key.publicKey).peer
                        let host = AttackNetwork.hostile[number % AttackNetwork.hostile.count]
                        let address = Multiaddr(text: "/ip4/\(host)/tcp/\(1_024 + number)")
                        let record = PeerRecord(
                            peer: peer,
                            sequence: 1,
                            addresses: [address].compactMap { $0?.expecting(peer) }
                        )
                        return field(1, record.sealed(with: key))
                    }
                    try await stream.writeMessage(records)
                    try await stream.closeWrite()
                    run.done(32)
                }
            ]
        )
    }

    /// As many peers as the node takes of one address, which want the topic and answer so.
    private static func crowd(
        _ run: AttackRun,
        anewAfter life: Duration = .seconds(3_600),
        answering answers: [String: @Sendable (any PeerStream) async throws -> Void]
    ) async throws {
        var hello = GossipRPC()
        hello.subscriptions = [GossipRPC.Subscription(topic: run.topic, isWanted: true)]
        let frame = hello.encoded()
        var all = answers
        all["/meshsub/1.1.0"] = { stream in while try await stream.read(atMost: 65_536) != nil {} }
        let answering = all
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<LinkLimits().linksOfOneAddressMax {
                group.addTask {
                    try await run.always {
                        try await run.link(answering: answering) { links in
                            let stream = try await links.open(
                                protocols: ["/meshsub/1.1.0"],
                                to: run.peer
                            )
                            try await stream.writeMessage(frame)
                            try await Task.sleep(for: life)
                        }
                    }
                }
            }
        }
    }

    private static func frames(_ run: AttackRun, _ frame: [UInt8], units: Int) async throws {
        try await run.always {
            try await run.gossip { stream in
                while true {
                    try await run.pace(units)
                    try await stream.writeMessage(frame)
                    run.done(units)
                }
            }
        }
    }

    /// A protobuf field of bytes.
    private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        Varint.encode(number << 3 | 2) + Varint.encode(bytes.count) + bytes
    }
}
