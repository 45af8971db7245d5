import Client
package import Gossip
package import Keys
package import Logging
package import Market
package import Storage

/// Where records enter the node: its own to be signed, stored and spread, others' to be judged.
///
/// Nothing is accepted before it is on disk. Source: Docs/protocol.md, section 4.
package struct RecordDesk: Sendable {
    let store: Store
    private let network: String
    let view: any ChainView & Sendable
    let announce: @Sendable ([UInt8]) async -> Void
    let clock: any NodeClock
    private let logger: Logger

    /// - Parameters:
    ///   - store: Where records are kept.
    ///   - network: Records of another are refused.
    ///   - view: What this node's own chain connection shows as final.
    ///   - announce: Spreads a record's bytes among peers.
    ///   - clock: The wall clock.
    ///   - logger: Told of records that could not be stored.
    package init(
        store: Store,
        network: String,
        view: any ChainView & Sendable,
        announce: @escaping @Sendable ([UInt8]) async -> Void,
        clock: any NodeClock = SystemClock(),
        logger: Logger
    ) {
        self.store = store
        self.network = network
        self.view = view
        self.announce = announce
        self.clock = clock
        self.logger = logger
    }

    /// Signs `content`, stores it durably, and spreads it.
    ///
    /// - Parameters:
    ///   - content: What is said.
    ///   - slot: Where a listing lives; other kinds have a slot of their own.
    ///   - key: The author's.
    /// - Returns: The record.
    /// - Throws: ``RecordFault`` where it breaks the rules of its kind, ``Refusal`` where this
    ///   node's own rules or its chain refuse it, ``StorageError``.
    package func publish(
        _ content: RecordContent,
        slot: Bytes32 = .zero,
        by key: PrivateKey
    ) async throws -> SignedRecord {
        let author = key.address
        let place = RecordKey(
            author: author,
            kind: content.kind,
            slot: content.slot(author: author) ?? slot
        )
        let last = try store.read { try $0.record(in: place) }?.version.createdAt
        let record = try RecordDraft(
            network: network,
            author: author,
            content: content,
            slot: place.slot,
            createdAt: RecordVersion.next(after: last, now: Timestamp(clock.now))
        ).signed(by: key)
        let lane: RecordLane
        switch RecordStanding.of(record, on: view) {
        case .anchored: lane = .anchored
        case .open: lane = .open
        case .held(let doubt), .refused(let doubt): throw Self.refusal(of: doubt, content.kind)
        }
        switch try await ingest(record, lane) {
        case .stored, .renewed, .duplicate: break
        case .superseded, .overLimit, .expired:
            throw Refusal(
                .notAsPromised,
                "A record that the chain vouches for, or a later one, has its place on this node."
            )
        case .forgotten:
            throw Refusal(.storeFull, "Not done: this node has no room left for such records.")
        }
        await announce(record.bytes)
        return record
    }

    /// Judges a record that a peer sent, and stores it where it is good.
    ///
    /// - Returns: `accept` only once it is durable.
    package func judge(_ bytes: [UInt8]) async -> GossipRouter.Verdict {
        do {
            let record = try await verified(bytes)
            guard let record else { return .ignore }
            return try await settle(record)
        } catch let fault as RecordFault {
            if case .fromTheFuture = fault { return .ignoreForNow }
            return fault.verdict == .reject ? .reject : .ignore
        } catch {
            logger.warning("record not stored", metadata: ["error": "\(error)"])
            return .ignoreForNow
        }
    }

    /// The cheap checks first; `nil` for a record that needs no judging.
    @concurrent
    private func verified(_ bytes: [UInt8]) async throws -> SignedRecord? {
        let record = try UnverifiedRecord(bytes)
        let now = Timestamp(clock.now)
        let isWanted = try store.read { [store] in
            try !$0.isSettled(record.id)
                || $0.needsRenewal(record.id, at: now, limits: store.limits)
        }
        guard isWanted else { return nil }
        _ = try record.admitted(to: network, at: now)
        return try record.verified()
    }

    private func settle(_ record: SignedRecord) async throws -> GossipRouter.Verdict {
        switch RecordStanding.of(record, on: view) {
        case .anchored: return try await keep(record, .anchored) ? .accept : .ignore
        case .open: return try await keep(record, .open) ? .accept : .ignore
        case .refused(let doubt):
            logger.debug("record refused", metadata: ["doubt": "\(doubt)"])
            return .ignore
        case .held:
            let now = Timestamp(clock.now)
            let isHeld = try await store.write { [limits = store.limits] in
                try $0.hold(record.id, bytes: record.bytes, at: now, limits: limits)
            }
            return isHeld ? .ignore : .ignoreForNow
        }
    }

    /// Answers whether the record is news here: it lives in its slot now, or goes on to.
    @discardableResult
    func keep(_ record: SignedRecord, _ lane: RecordLane) async throws -> Bool {
        switch try await ingest(record, lane) {
        case .stored, .renewed: true
        case .duplicate, .superseded, .overLimit, .forgotten, .expired: false
        }
    }

    private func ingest(_ record: SignedRecord, _ lane: RecordLane) async throws -> RecordOutcome {
        let entry = RecordEntry(
            record,
            lane: lane,
            subject: Self.subject(of: record),
            sales: lane == .anchored ? view.saleCount(of: record.author) : 0
        )
        let outcomes = try await store.ingest([entry], at: Timestamp(clock.now))
        return outcomes[0]
    }

    /// What a record is filed under besides its author: the sale it is about.
    private static func subject(of record: SignedRecord) -> Bytes32? {
        switch record.content {
        case .listing(let listing): listing.sale?.id.hash
        case .review(let review): review.sale.id.hash
        case .withdrawal(.anchoredListing(let withdrawal)): withdrawal.sale.id.hash
        case .profile, .device, .withdrawal: nil
        }
    }

    private static func refusal(of doubt: ChainDoubt, _ kind: RecordKind) -> Refusal {
        guard kind == .review else {
            return Refusal(.notAsPromised, "The chain does not bear this out: \(doubt.words)")
        }
        return Refusal(.reviewRefused, doubt.words)
    }
}

extension ChainDoubt {
    /// What is in the way, for people.
    fileprivate var words: String {
        switch self {
        case .foreignContract: "The contract is not one of this market's."
        case .saleNotSeen: "This node's chain does not show the sale as final yet. Try again soon."
        case .saleNotOver: "The sale is not over, or not final yet. Try again when it is."
        case .notAParty: "Only the seller and the buyer of the sale may review it."
        case .otherPromise: "The sale was made for another promise."
        case .otherOutcome: "It does not state the sale's outcome and price as they are."
        case .notReviewable: "Nobody bought, so that there is nothing to review."
        case .overAllowance: "It has more bytes than its kind may have."
        }
    }
}
