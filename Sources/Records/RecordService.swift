import Answers
import Client
package import Concurrency
package import GossipProtocol
package import Keys
package import Logging
package import Market
package import Storage

/// Signs, stores and spreads this node's own records, and validates those from other nodes.
///
/// Accepts nothing before it is on disk. Source: Docs/protocol.md, section 4.
package struct RecordService: Sendable {
    let store: Store
    let network: String
    let rules: OpenLaneRules
    let view: any ChainView & Sendable
    let announce: @Sendable ([UInt8]) async -> Void
    package let clock: any WallClock
    let logger: Logger
    let errors: LoopErrors
    let admission: RecordAdmissionState
    /// Computes stamps, in turn of their authors.
    private let stamping = WorkTurns<Address>(ownerMax: stampsMax)
    /// The records of an author whose stamps are computed or wait for it.
    private static let stampsMax = 8
    /// The tries of one step, which take about a millisecond.
    private static let stampStep: UInt64 = 4_096
    let pace = RecordPace()
    package let clockWatch: ClockWatch

    /// - Parameters:
    ///   - store: The store of the records.
    ///   - network: The network's name; records of other networks are refused.
    ///   - rules: The network's rules for records that no chain vouches for.
    ///   - budgets: How many such records strangers can send.
    ///   - view: The final state on this node's own chain connection.
    ///   - announce: Spreads a record's bytes among peers.
    ///   - clock: The wall clock.
    ///   - clockWatch: Tells whether the wall clock can be right.
    ///   - logger: Gets warnings about records that could not be stored.
    package init(
        store: Store,
        network: String,
        rules: OpenLaneRules = OpenLaneRules(),
        budgets: RecordAdmissionLimits = RecordAdmissionLimits(),
        view: any ChainView & Sendable,
        announce: @escaping @Sendable ([UInt8]) async -> Void,
        clock: any WallClock = .system,
        clockWatch: ClockWatch = ClockWatch(),
        logger: Logger
    ) {
        self.store = store
        self.network = network
        self.rules = rules
        admission = RecordAdmissionState(limits: budgets, clock: clock)
        self.view = view
        self.announce = announce
        (self.clock, self.clockWatch) = (clock, clockWatch)
        self.logger = logger
        errors = LoopErrors("records", logger: logger)
    }

    /// Signs `content`, stores it durably and spreads it.
    ///
    /// See ``publish(_:)``.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - slot: The slot of a listing; records of other kinds determine their own.
    ///   - key: The author's key.
    /// - Returns: The record.
    /// - Throws: As ``publish(_:)``.
    package func publish(
        _ content: RecordContent,
        slot: Bytes32 = .zero,
        by key: PrivateKey
    ) async throws -> SignedRecord {
        let now = clock.timestamp
        let draft = try draft(of: content, slot: slot, author: key.address, at: now)
        return try await publish(draft.signed(by: key))
    }

    /// Returns the content to sign so that `content` replaces the current record.
    ///
    /// The same `time` gives the same draft until another record replaces it.
    package func draft(
        of content: RecordContent,
        slot: Bytes32,
        author: Address,
        at time: Timestamp
    ) throws -> RecordDraft {
        let place = RecordKey(
            author: author,
            kind: content.kind,
            slot: content.slot(author: author) ?? slot
        )
        let last = try store.read { try $0.record(in: place) }?.version.createdAt
        return RecordDraft(
            network: network,
            author: author,
            content: content,
            slot: place.slot,
            createdAt: RecordVersion.next(after: last, now: time)
        )
    }

    /// Stores an own record durably and spreads it.
    ///
    /// A record of the open lane gets its stamp first. So do profiles and devices that the chain
    /// already vouches for: a node whose own chain view is behind then accepts them too.
    ///
    /// - Parameter record: The record, signed by an account of this node.
    /// - Returns: The record, with its stamp.
    /// - Throws: ``RecordFault`` if it breaks the rules of its kind, ``Refusal`` if this node's own
    ///   rules, its chain or its clock refuse it, or with `too_many_tries` if other nodes would not
    ///   take it now, ``StorageError``.
    package func publish(_ record: SignedRecord) async throws -> SignedRecord {
        try await clockWatch.requireUsable()
        // Its author would use up the allowance at other nodes, and each try would cost a stamp.
        let content = record.content
        if !content.isWithdrawal { try store.requireRoom() }
        var record = record
        let lane: RecordLane
        switch AnchorStatus.of(record, on: view) {
        case .anchored:
            lane = .anchored
            if content.kind == .profile || content.kind == .device {
                // A long one, without a stamp, reaches only nodes whose chain vouches for it.
                record = (try? await stamped(record)) ?? record
            }
        case .open:
            lane = .open
            try admitOwn(record)
            record = try await stamped(record)
        case .held(let doubt), .refused(let doubt): throw Self.refusal(of: doubt, content.kind)
        }
        switch try await ingest(record, lane, from: .own) {
        case .stored, .renewed, .duplicate: break
        case .superseded, .overLimit, .expired:
            throw Refusal(.notAsPromised, Sentence("refusal.newerRecord"))
        case .forgotten, .noRoom:
            throw Refusal(.storeFull, Sentence("refusal.noRoomForRecords"))
        }
        await announce(record.bytes)
        return record
    }

    /// Returns whether the network accepts such a record of the author: without a sale, a short
    /// one.
    package func admits(_ content: RecordContent, by author: Address) -> Bool {
        let draft = RecordDraft(
            network: network,
            author: author,
            content: content,
            slot: .zero,
            createdAt: clock.timestamp
        )
        return view.isParty(author) || rules.admitsLength(of: draft)
    }

    /// Stores a record; returns whether it is news here, that is, stored or renewed.
    @discardableResult
    package func keep(
        _ record: SignedRecord,
        _ lane: RecordLane,
        from origin: RecordOrigin
    ) async throws -> Bool {
        switch try await ingest(record, lane, from: origin) {
        case .stored, .renewed: true
        case .duplicate, .superseded, .overLimit, .forgotten, .expired, .noRoom: false
        }
    }

    /// Counts an own record against what other nodes take of its author, before any work.
    ///
    /// Else the author would use up what they take of this node.
    private func admitOwn(_ record: SignedRecord) throws {
        let byteCount: Int
        do { byteCount = try rules.stampedByteCount(of: record) } catch {
            throw Self.refusal(of: error, record.kind)
        }
        let limits = admission.authorLimits
        guard admission.admitOwn(byteCount, by: record.author) else {
            throw Refusal(
                .tooManyTries,
                Sentence(
                    "refusal.publishedMuch",
                    [
                        "burst": "\(limits.allowanceBytes >> 10)",
                        "rate": "\(limits.shareBytesPerSecond)",
                    ]
                ),
                retryAfter: .seconds(byteCount / limits.shareBytesPerSecond + 1)
            )
        }
    }

    /// Computes a record's stamp in its author's turn, off the caller's actor.
    private func stamped(_ record: SignedRecord) async throws -> SignedRecord {
        do {
            return try await stamping.value(for: record.author) { [rules] step in
                try rules.stamped(record, from: step * Self.stampStep, count: Self.stampStep)
            }
        } catch let fault as OpenLaneFault {
            throw Self.refusal(of: fault, record.kind)
        } catch is WorkTurns<Address>.Full {
            throw Refusal(
                .tooManyTries,
                Sentence("refusal.publishing", ["most": "\(Self.stampsMax)"]),
                retryAfter: .seconds(5)
            )
        }
    }

    private static func refusal(of fault: OpenLaneFault, _ kind: RecordKind) -> any Error {
        switch fault {
        case .unstamped: return fault
        case .tooLong(let byteCount):
            guard kind != .curation else {
                return Refusal(
                    .malformedValue,
                    Sentence(
                        "refusal.listLong",
                        ["bytes": "\(byteCount)", "most": "\(OpenLaneRules.curationByteCountMax)"]
                    ),
                    field: "entries"
                )
            }
            let values = ["bytes": "\(byteCount)", "most": "\(OpenLaneRules.byteCountMax)"]
            return Refusal(.malformedValue, Sentence("refusal.recordLong", values))
        }
    }

    private func ingest(
        _ record: SignedRecord,
        _ lane: RecordLane,
        from origin: RecordOrigin
    ) async throws -> RecordOutcome {
        let entry = RecordEntry(
            record,
            lane: lane,
            subject: Self.subject(of: record),
            origin: origin.holder
        )
        // A node's own withdrawal takes the place of what it withdraws.
        let isAddition = origin != .own || !record.content.isWithdrawal
        let outcome = try await store.ingest(
            [entry],
            at: clock.timestamp,
            isAddition: isAddition
        )[0]
        switch outcome {
        case .stored, .renewed: if lane == .open { RecordMeters.count(.accepted) }
        case .noRoom: if lane == .open { RecordMeters.count(.noRoom) }
        case .duplicate, .superseded, .overLimit, .forgotten, .expired: break
        }
        return outcome
    }

    /// Returns the sale that a record is about, by which the store also finds it.
    package static func subject(of record: SignedRecord) -> Bytes32? {
        switch record.content {
        case .listing(let listing): listing.sale?.id.hash
        case .review(let review): review.sale.id.hash
        case .withdrawal(.anchoredListing(let withdrawal)): withdrawal.sale.id.hash
        case .profile, .device, .curation, .withdrawal, .laterListing: nil
        }
    }

    private static func refusal(of doubt: ChainDoubt, _ kind: RecordKind) -> Refusal {
        guard kind == .review else {
            return Refusal(.notAsPromised, Sentence("refusal.chainDoubts"), doubt.reason)
        }
        return Refusal(.reviewRefused, doubt.reason)
    }
}

extension ChainDoubt {
    fileprivate var reason: Sentence {
        switch self {
        case .foreignContract: Sentence("refusal.doubtContract")
        case .saleNotSeen: Sentence("refusal.doubtNotSeen")
        case .saleNotOver: Sentence("refusal.doubtNotOver")
        case .notAParty: Sentence("refusal.doubtNoParty")
        case .otherPromise: Sentence("refusal.doubtPromise")
        case .otherOutcome: Sentence("refusal.doubtOutcome")
        case .notReviewable: Sentence("refusal.doubtNotBought")
        case .overAllowance: Sentence("refusal.doubtLong")
        }
    }
}
