import Gossip
import GossipProtocol
import Keys
import Market

/// What a stranger does to a home of mail.
enum MailAttacks {
    static let all = [
        Attack(
            name: "noise",
            words: "noise for one mailbox with the work it costs, as much as one core does",
            rate: 1_000,
            isAtMailbox: true,
            run: noise
        ),
        Attack(
            name: "questions",
            words: "deposits without work, 500/s",
            rate: 500,
            isAtMailbox: true,
            run: { run in
                try await ask(run) { stream, _ in
                    _ = try await stream.ask(.deposit(try deposit(run)))
                }
            }
        ),
        Attack(
            name: "leases",
            words: "leases of new accounts with the work they cost, as many as one core does",
            rate: 1_000,
            run: leases
        ),
        Attack(
            name: "mail-malformed",
            words: "what is no question of mail, each of a new key, 50/s",
            rate: 50,
            run: malformed
        ),
    ]

    private static func noise(_ run: AttackRun) async throws {
        try await ask(run) { stream, run in
            var deposit = try deposit(run)
            let answer = try await stream.ask(.deposit(deposit))
            guard case .workWanted(let work) = answer else { return }
            let subject = deposit.workSubject(at: run.peer, network: run.target.network)
            deposit.work = try stamp(work, for: subject)
            _ = try await stream.ask(.deposit(deposit))
        }
    }

    private static func leases(_ run: AttackRun) async throws {
        try await ask(run) { stream, run in
            let network = run.target.network
            var request = LeaseRequest(
                by: .random(),
                to: run.peer,
                network: network,
                at: BenchmarkPeer.now()
            )
            let answer = try await stream.ask(.lease(request))
            guard case .workWanted(let work) = answer else { return }
            request.work = try stamp(work, for: request.workSubject(at: run.peer, network: network))
            _ = try await stream.ask(.lease(request))
        }
    }

    private static func malformed(_ run: AttackRun) async throws {
        while true {
            try await run.pace()
            // A key that is refused is one more that was tried.
            try? await run.link { links in
                let stream = try await links.open(
                    protocols: [MailExchange.protocolID],
                    to: run.peer
                )
                try await stream.writeMessage([UInt8](repeating: 0xFF, count: 1_000))
                _ = try await stream.read(atMost: 1, within: .seconds(1))
            }
            run.done()
        }
    }

    private static func ask(
        _ run: AttackRun,
        _ body: @escaping @Sendable (any PeerStream, AttackRun) async throws -> Void
    ) async throws {
        try await run.always {
            try await run.link { links in
                let stream = try await links.open(
                    protocols: [MailExchange.protocolID],
                    to: run.peer
                )
                while true {
                    try await run.pace()
                    try await body(stream, run)
                    run.done()
                }
            }
        }
    }

    private static func stamp(_ work: UInt64, for subject: Bytes32) throws -> MailStamp? {
        var first: UInt64 = 1
        while true {
            try Task.checkCancellation()
            let found = MailStamp.search(for: subject, work: work, from: first, count: 4_096)
            if let found { return found }
            first += 4_096
        }
    }

    private static func deposit(_ run: AttackRun) throws -> MailDeposit {
        guard let recipient = try? Address(text: run.target.recipient),
            let device = Bytes32(hex: run.target.device)
        else { throw BenchmarkFault.ended("the recipient") }
        let later = BenchmarkPeer.now().advanced(by: .seconds(86_400))
        let header = MailEnvelope.Header(
            recipient: recipient,
            device: device,
            prekey: 1,
            expiresAt: later
        )
        let sealed = (0..<68).flatMap { _ in Bytes32.random().bytes }
        let byteCount = MailPadding.buckets[0] + Sealing.overheadBytes
        return MailDeposit(
            MailEnvelope(header: header, sealed: Array(sealed.prefix(byteCount)))
        )
    }
}
