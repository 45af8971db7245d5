public import Foundation

/// A long-running task in several steps; it continues after a restart of the node.
public struct Operation: Codable, Hashable, Sendable, DescribedType {
    public var id: String
    public var kind: Kind
    public var state: State
    public var account: String
    /// The id of the chain that it is about; `nil` for an entry from before there were several.
    public var chain: UInt64?
    /// The listing or sale it is about, or the account that money is sent to.
    public var subject: String?
    public var phases: [Phase]
    /// Why it failed.
    public var problem: Problem?
    public var createdAt: Date
    /// When it ended; `nil` while it runs, and for an entry from before this was kept.
    public var endedAt: Date?
    /// The maximum total fee of all its transactions, in wei; `nil` if it sends none.
    public var feeMax: String?

    package static let fields: [String: FieldFacts] = [
        "id": .hash, "kind": "buy",
        "state": .about("'needs_unlock' waits for its owner to sign in."),
        "account": .address, "chain": .chain, "subject": .anyID, "feeMax": .feeMax,
        "endedAt": .about("When it ended; absent while it runs."),
    ]

    public init(
        id: String,
        kind: Kind,
        state: State,
        account: String,
        chain: UInt64? = nil,
        subject: String?,
        phases: [Phase],
        problem: Problem?,
        createdAt: Date,
        endedAt: Date? = nil,
        feeMax: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.account = account
        self.chain = chain
        self.subject = subject
        self.phases = phases
        self.problem = problem
        self.createdAt = createdAt
        self.endedAt = endedAt
        self.feeMax = feeMax
    }

    /// Whether it can still make progress.
    public var isRunning: Bool { state != .done && state != .failed }

    /// The action in progress.
    public enum Kind: ExtensibleEnumeration {
        case list, edit, withdraw, buy, bid, move, collect, arbitrate, send
        case other(String)

        public static let known: [Kind] = [
            .list, .edit, .withdraw, .buy, .bid, .move, .collect, .arbitrate, .send,
        ]

        public var rawValue: String {
            switch self {
            case .list: "list"
            case .edit: "edit"
            case .withdraw: "withdraw"
            case .buy: "buy"
            case .bid: "bid"
            case .move: "move"
            case .collect: "collect"
            case .arbitrate: "arbitrate"
            case .send: "send"
            case .other(let text): text
            }
        }
    }

    /// How it stands.
    public enum State: ExtensibleEnumeration {
        case running
        /// Its account has to sign in before it continues.
        case needsUnlock
        /// The wallet that has its account's key has to sign: see ``SignatureRequest``.
        case needsSignature
        case done
        case failed
        case other(String)

        public static let known: [State] = [
            .running, .needsUnlock, .needsSignature, .done, .failed,
        ]

        public var rawValue: String {
            switch self {
            case .running: "running"
            case .needsUnlock: "needs_unlock"
            case .needsSignature: "needs_signature"
            case .done: "done"
            case .failed: "failed"
            case .other(let text): text
            }
        }
    }
}
