package import Concurrency
package import GossipProtocol
package import Keys
package import Logging
package import Market
import Metrics
import Synchronization

/// The protocol `/stoa/mail/1`: answers as a home, and asks other homes.
///
/// A stream carries questions and answers in turn. Questions to this node itself take the same path
/// without a stream, so the same rules apply to the mail of its own accounts.
///
/// Source: Docs/protocol.md, section 10.
package struct MailExchange: Sendable {
    package static let protocolID = "/stoa/mail/1"

    package let links: any PeerLinks
    package let settings: MailSettings
    let mailStore: any MailStore
    let identity: PrivateKey
    let addresses: @Sendable () async -> [Multiaddr]
    let now: @Sendable () -> Timestamp
    private let charge: @Sendable (PeerID, PeerOffence) async -> Void
    let noteUse: @Sendable (PeerID) async -> Void
    let dials: (any HomeDials)?
    private let errors: LoopErrors
    private let streams: MailStreams
    /// Makes deposits at other homes wait for their turn; shared by the copies of this value.
    package let pacer: MailPacer
    /// Makes questions about vaults wait for their turn; shared by the copies of this value.
    let vaultTurns: AnswerQueue
    /// Shared by the copies of this value.
    private let arrivals = SharedArrivals()

    /// Creates the exchange of the node whose key is `identity`, which signs leases and receipts.
    ///
    /// `addresses` returns the addresses to put into leases; `now` is the wall clock. `charge`
    /// receives peers that break the protocol, `noteUse` peers that gave or received a useful
    /// answer. `dials` limits the dials to addresses of other peers' leases; without it, every
    /// address that is public enough is dialled.
    package init(
        links: any PeerLinks,
        mailStore: any MailStore,
        identity: PrivateKey,
        settings: MailSettings,
        addresses: @escaping @Sendable () async -> [Multiaddr],
        now: @escaping @Sendable () -> Timestamp,
        charge: @escaping @Sendable (PeerID, PeerOffence) async -> Void = { _, _ in },
        noteUse: @escaping @Sendable (PeerID) async -> Void = { _ in },
        dials: (any HomeDials)? = nil,
        clock: any MonotonicClock = .system,
        logger: Logger
    ) {
        settings.limits.check()
        self.links = links
        self.mailStore = mailStore
        self.identity = identity
        self.settings = settings
        self.addresses = addresses
        self.now = now
        self.charge = charge
        self.noteUse = noteUse
        self.dials = dials
        errors = LoopErrors("served-mail", logger: logger)
        streams = MailStreams(limits: settings.limits, clock: clock)
        pacer = MailPacer(limits: settings.limits, clock: clock)
        var turns = ExchangeLimits()
        turns.lookUpsBurst = settings.limits.vaultLookUpsBurst
        turns.lookUpsPerSecond = settings.limits.vaultLookUpsPerSecond
        vaultTurns = AnswerQueue(limits: turns, clock: clock)
    }

    package var localPeer: PeerID { links.localPeer }

    /// Returns the origin that records from this peer are charged to.
    package func origin(of peer: PeerID) async -> RecordOrigin {
        if peer == localPeer { return .own }
        let link = await links.link(to: peer)
        return RecordOrigin(peer, at: link?.address)
    }

    /// Registers the protocol with the links, also under the name for questions about vaults.
    package func register() async {
        for name in [Self.protocolID, Self.vaultProtocolID] {
            await links.handle(protocol: name) { stream in
                try await streams.with(stream.remotePeer) { try await serve(stream) }
            }
        }
    }

    /// Returns this node's lease for one of its own accounts.
    package func ownLease(for account: Address) async throws -> HomeLease {
        try await lease(for: account)
    }

    /// The state of one stream of questions, or of this node's own questions.
    struct Asking {
        var mailServer: MailServer
        let peer: PeerID
        /// Identifies the address of the asking peer.
        let origin: Bytes32
    }

    func mailServer() -> MailServer {
        MailServer(
            home: localPeer,
            network: settings.network,
            acceptsHomes: settings.acceptsHomes,
            limits: settings.limits
        )
    }

    private func serve(_ stream: any PeerStream) async throws {
        let limits = settings.limits
        let peer = stream.remotePeer
        let address = await links.link(to: peer)?.address
        var asking = Asking(
            mailServer: mailServer(),
            peer: peer,
            origin: MailOrigin.name(of: peer, at: address)
        )
        let group = address.flatMap { AddressGroup(of: $0) }
        var frames = stream.messages(bytesMax: limits.questionBytesMax)
        for _ in 0..<limits.questionsMax {
            guard let frame = try await frames.next(within: limits.exchangeMax) else { return }
            // Before parsing: to read a question may cost a signature check.
            let metered = streams.take(by: peer, of: group)
            guard metered == .granted else {
                let isAtFault = metered == .overdrawn
                try await send(counted(.tooOften), over: stream, isAtFault: isAtFault)
                continue
            }
            let question = try await question(frame, by: peer)
            // Held until the answer is written.
            let room = try await stream.room(for: question.answerBytesMax(limits))
            defer { withExtendedLifetime(room) {} }
            try await send(await answer(question, &asking), over: stream)
        }
    }

    /// Parses a question.
    ///
    /// - Throws: The fault of a malformed frame; the peer is charged with it.
    private func question(_ frame: [UInt8], by peer: PeerID) async throws -> MailQuestion {
        do {
            return try MailQuestion(frame, limits: settings.limits)
        } catch {
            Counter(label: "stoa_mail_malformed").increment()
            await charge(peer, .malformedMail)
            throw error
        }
    }

    /// Sends an answer; `isAtFault` says whether a refusal may be charged to the peer.
    private func send(
        _ answer: MailAnswer,
        over stream: any PeerStream,
        isAtFault: Bool = true
    ) async throws {
        let peer = stream.remotePeer
        if isAtFault, case .refused(let refusal) = answer, let offence = PeerOffence(refusal) {
            await charge(peer, offence)
        }
        if answer.isOfUse { await noteUse(peer) }
        do {
            try await stream.writeMessage(answer.bytes, within: settings.limits.exchangeMax)
        } catch LinkError.timedOut {
            await charge(peer, .slowReader)
            throw LinkError.timedOut
        }
    }

    /// Answers a question; an internal error is answered `unable` and not charged to the peer.
    func answer(
        _ question: MailQuestion,
        _ asking: inout Asking
    ) async -> MailAnswer {
        var answer = MailAnswer.refused(.unable)
        await errors.item("answer a question") { answer = try await answered(question, &asking) }
        switch answer {
        case .refused(let refusal): return counted(refusal)
        case .workWanted:
            Counter(label: "stoa_mail_refused", dimensions: [("reason", "work_wanted")])
                .increment()
        default: break
        }
        return answer
    }

    private func answered(
        _ question: MailQuestion,
        _ asking: inout Asking
    ) async throws -> MailAnswer {
        let time = now()
        var facts = MailServer.Facts(isKeptHere: false)
        if let (account, device) = asking.mailServer.subject(of: question) {
            facts = try await mailStore.facts(
                of: account,
                device: device,
                deposit: question.deposit,
                from: asking.origin,
                at: time
            )
        }
        facts.isLocal = asking.peer == localPeer
        if let recipient = question.deposit?.envelope.header.recipient {
            let recent = arrivals.state.withLock {
                $0.percents(of: recipient, from: asking.origin, at: time)
            }
            facts.strangersPercent = max(facts.strangersPercent, recent.account)
            facts.originPercent = max(facts.originPercent, recent.origin)
        }
        let directive = asking.mailServer.handle(question, facts, challenge: .random(), at: time)
        return try await perform(directive, for: asking, at: time)
    }

    private func counted(_ refusal: MailRefusal) -> MailAnswer {
        Counter(label: "stoa_mail_refused", dimensions: [("reason", refusal.name)]).increment()
        return .refused(refusal)
    }

    private func perform(
        _ directive: MailServer.Directive,
        for asking: Asking,
        at time: Timestamp
    ) async throws -> MailAnswer {
        switch directive {
        case .refuse(let refusal): return .refused(refusal)
        case .grant(let account):
            let lease = try await lease(for: account)
            let refusal = try await mailStore.grant(lease, to: account, from: asking.origin)
            return refusal.map { .refused($0) } ?? .lease(lease)
        case .wantWork(let work): return .workWanted(work)
        case .showKeys(let account):
            let (bundles, records) = try await mailStore.keys(of: account)
            return .keys(bundles: bundles, records: shown(records, beside: bundles))
        case .showRecords(let account):
            let records = shown(try await mailStore.keys(of: account).records)
            return records.isEmpty ? .refused(.notKeptHere) : .keys(bundles: [], records: records)
        case .take(let bundle, let records):
            let origin = await origin(of: asking.peer)
            await mailStore.take(records: records, from: origin, isAsked: false)
            return try await take(bundle, from: asking.origin, at: time)
        case .store(let envelope, let admission):
            return try await store(envelope, as: admission, from: asking.origin, at: time)
        case .confirm(let envelope): return held(envelope)
        case .keepGrants(let secret, let ended, let account, let device):
            let refusal = try await mailStore.keepGrants(
                secret,
                ended: ended,
                of: account,
                device: device
            )
            return refusal.map { .refused($0) } ?? .done
        case .challenge(let challenge): return .challenge(challenge)
        case .welcome: return .done
        case .serve(let account, let device, let number):
            return .collected(try await waiting(account, device, after: number))
        case .remove(let numbers, let account, let device):
            try await mailStore.acknowledge(numbers, of: account, device: device)
            return .done
        case .showVault(let account, let marks):
            return try await inTurn(account, of: asking.peer) {
                try await vaultAnswer(of: account, after: marks)
            }
        case .keep(let segment):
            return try await inTurn(segment.account, of: asking.peer) {
                try await mailStore.keep(segment).map { .refused($0) } ?? .done
            }
        }
    }

    private func store(
        _ envelope: MailEnvelope,
        as admission: MailAdmission,
        from origin: Bytes32,
        at time: Timestamp
    ) async throws -> MailAnswer {
        let refusal = try await mailStore.deposit(envelope, as: admission, from: origin, at: time)
        if let refusal { return .refused(refusal) }
        if case .stranger = admission {
            arrivals.state.withLock {
                let recipient = envelope.header.recipient
                $0.note(envelope.bytes.count, for: recipient, from: origin, at: time)
            }
        }
        Counter(label: "stoa_mail_accepted", dimensions: [("source", admission.name)]).increment()
        return held(envelope.hash)
    }

    private func held(_ envelope: Bytes32) -> MailAnswer {
        .held(identity.sign(MailStatement.held(envelope, settings.network), as: .held))
    }

    /// Returns as many records as fit into an answer beside these bundles.
    private func shown(_ records: [[UInt8]], beside bundles: [[UInt8]] = []) -> [[UInt8]] {
        let limits = settings.limits
        var left = limits.answerBytesMax
        for bundle in bundles { left -= bundle.count + 8 }
        return Array(
            records.filter { $0.count <= limits.recordBytesMax }.prefix(limits.recordsMax)
                .prefix { record in
                    left -= record.count + 8
                    return left > 64
                }
        )
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
        from origin: Bytes32,
        at time: Timestamp
    ) async throws -> MailAnswer {
        let device = DeviceCertificate.slot(of: bundle.device)
        let facts = try await mailStore.facts(
            of: bundle.account,
            device: device,
            deposit: nil,
            from: origin,
            at: time
        )
        guard facts.device == bundle.device else { return .refused(.unknownDevice) }
        try await mailStore.keep(bundle, at: time)
        return .done
    }

    private func waiting(
        _ account: Address,
        _ device: Bytes32,
        after number: UInt64
    ) async throws -> [WaitingEnvelope] {
        let limits = settings.limits
        var byteCount = 0
        let found = try await mailStore.waiting(
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

/// The exchange's state that outlives a stream.
private final class SharedArrivals: Sendable {
    let state = Mutex(StrangerArrivals())
}
