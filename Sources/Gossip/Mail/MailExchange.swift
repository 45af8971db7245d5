package import Keys
package import Logging
package import Market
import Metrics

/// Speaks `/stoa/mail/1`: answers as a home, and asks others'.
///
/// A stream carries questions and answers in turn. One to this node itself takes the same way
/// without a stream, so that an own account's mail obeys the same rules.
///
/// Source: Docs/protocol.md, section 10.
package struct MailExchange: Sendable {
    package static let protocolID = "/stoa/mail/1"

    package let links: any PeerLinks
    package let settings: MailSettings
    let room: any MailRoom
    let identity: PrivateKey
    let addresses: @Sendable () async -> [Multiaddr]
    let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let streams: MailStreams

    /// Speaks for the node whose key is `identity`, which signs its leases and what it holds.
    ///
    /// `addresses` is where this node can be dialled, for its leases; `now` is the wall clock.
    package init(
        links: any PeerLinks,
        room: any MailRoom,
        identity: PrivateKey,
        settings: MailSettings,
        addresses: @escaping @Sendable () async -> [Multiaddr],
        now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        settings.limits.check()
        self.links = links
        self.room = room
        self.identity = identity
        self.settings = settings
        self.addresses = addresses
        self.now = now
        self.logger = logger
        streams = MailStreams(limits: settings.limits)
    }

    package var localPeer: PeerID { links.localPeer }

    /// Whom the records that a peer hands over count for.
    package func origin(of peer: PeerID) async -> RecordOrigin {
        if peer == localPeer { return .own }
        let link = await links.links().first { $0.peer == peer }
        return RecordOrigin(peer, at: link?.address)
    }

    /// Answers streams of this protocol from now on.
    package func register() async {
        await links.handle(protocol: Self.protocolID) { stream in
            try await streams.with(stream.remotePeer) { try await serve(stream) }
        }
    }

    /// A lease of this node for one of its own accounts.
    package func ownLease(for account: Address) async throws -> HomeLease {
        try await lease(for: account)
    }

    func desk() -> MailDesk {
        MailDesk(
            home: localPeer,
            network: settings.network,
            acceptsHomes: settings.acceptsHomes,
            limits: settings.limits
        )
    }

    private func serve(_ stream: any PeerStream) async throws {
        let limits = settings.limits
        var desk = desk()
        var frames = stream.messages(bytesMax: limits.questionBytesMax)
        for _ in 0..<limits.questionsMax {
            guard let frame = try await frames.next(within: limits.exchangeMax) else { return }
            let answer: MailAnswer
            do {
                let question = try MailQuestion(frame, limits: limits)
                answer =
                    streams.admits(stream.remotePeer)
                    ? await self.answer(question, &desk, to: stream.remotePeer)
                    : .refused(.tooOften)
            } catch {
                Counter(label: "stoa_mail_malformed").increment()
                throw error
            }
            try await stream.writeMessage(answer.bytes, within: limits.exchangeMax)
        }
    }

    /// Decides, does it, and says so; what fails here is no fault of who asks.
    func answer(
        _ question: MailQuestion,
        _ desk: inout MailDesk,
        to peer: PeerID
    ) async -> MailAnswer {
        let answer: MailAnswer
        do {
            let time = now()
            var facts = MailDesk.Facts(isKeptHere: false)
            if let (account, device) = desk.subject(of: question) {
                facts = try await room.facts(of: account, device: device, at: time)
            }
            let directive = desk.handle(question, facts, challenge: .random(), at: time)
            answer = try await perform(directive, for: peer, at: time)
        } catch {
            logger.warning("mail not served", metadata: ["error": "\(error)"])
            answer = .refused(.unable)
        }
        if case .refused(let refusal) = answer {
            Counter(label: "stoa_mail_refused", dimensions: [("reason", refusal.name)])
                .increment()
        }
        return answer
    }

    private func perform(
        _ directive: MailDesk.Directive,
        for peer: PeerID,
        at time: Timestamp
    ) async throws -> MailAnswer {
        switch directive {
        case .refuse(let refusal): return .refused(refusal)
        case .grant(let account):
            let lease = try await lease(for: account)
            try await room.grant(lease, to: account)
            return .lease(lease)
        case .showKeys(let account):
            let (bundles, records) = try await room.keys(of: account)
            return .keys(
                bundles: Array(bundles.prefix(settings.limits.recordsMax)),
                records: shown(records)
            )
        case .showRecords(let account):
            let records = shown(try await room.keys(of: account).records)
            return records.isEmpty ? .refused(.notKeptHere) : .keys(bundles: [], records: records)
        case .take(let bundle, let records):
            let origin = await origin(of: peer)
            await room.take(records: records, from: origin, isAsked: false)
            return try await take(bundle, at: time)
        case .store(let envelope):
            if let refusal = try await room.deposit(envelope, from: peer, at: time) {
                return .refused(refusal)
            }
            let statement = MailStatement.held(envelope.hash, settings.network)
            return .held(identity.sign(statement, as: .held))
        case .challenge(let challenge): return .challenge(challenge)
        case .welcome: return .done
        case .serve(let account, let device, let number):
            return .collected(try await waiting(account, device, after: number))
        case .remove(let numbers, let account, let device):
            try await room.acknowledge(numbers, of: account, device: device)
            return .done
        }
    }

    private func shown(_ records: [[UInt8]]) -> [[UInt8]] {
        let short = records.filter { $0.count <= settings.limits.recordBytesMax }
        return Array(short.prefix(settings.limits.recordsMax))
    }

    private func lease(for account: Address) async throws -> HomeLease {
        let places = await addresses().prefix(HomeLease.addressesMax)
        return try HomeLease(
            peer: localPeer,
            addresses: places.map { $0.expecting(nil).description },
            quotaByteCount: settings.quotaByteCount,
            until: now().advanced(by: settings.lease),
            account: account,
            key: identity
        )
    }

    private func take(
        _ bundle: PrekeyBundle,
        at time: Timestamp
    ) async throws -> MailAnswer {
        let device = DeviceCertificate.slot(of: bundle.device)
        let facts = try await room.facts(of: bundle.account, device: device, at: time)
        guard facts.device == bundle.device else { return .refused(.unknownDevice) }
        try await room.keep(bundle)
        return .done
    }

    private func waiting(
        _ account: Address,
        _ device: Bytes32,
        after number: UInt64
    ) async throws -> [WaitingEnvelope] {
        let limits = settings.limits
        var byteCount = 0
        let found = try await room.waiting(
            for: account,
            device: device,
            after: number,
            limit: limits.collectedMax
        )
        return Array(
            found.prefix { entry in
                byteCount += entry.envelope.bytes.count
                return byteCount <= limits.collectedBytesMax
            }
        )
    }
}
