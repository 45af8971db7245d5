public import Foundation
public import Texts

/// The state of a node.
public struct NodeStatus: Codable, Hashable, Sendable, DescribedType {
    public var version: String
    public var network: String
    public var peer: String
    public var listenAddresses: [String]
    public var peers: Int
    public var records: Int
    public var chains: [ChainStatus]
    /// The account that gets the reports of this node's accounts; `nil` if nobody reads them.
    public var reportsTo: String?
    /// The node's wall clock, compared with other clocks.
    public var clock: NodeClock?
    /// The problem with the store's room and its remedy; `nil` if there is none.
    public var storeWarning: Sentence?

    package static let fields: [String: FieldFacts] = [
        "version": "0.2.0", "network": "stoa", "peer": .peer, "listenAddresses": "/ip4/…",
        "peers": 2, "records": 3,
        "reportsTo": .address.about(
            "The account that gets the node's reports; null if there is none."
        ),
        "clock": .about("The node's wall clock beside others'; null if nothing can be compared."),
        "storeWarning": .about("What is wrong with the room of the store; null if nothing is."),
    ]

    public init(
        version: String,
        network: String,
        peer: String,
        listenAddresses: [String],
        peers: Int,
        records: Int,
        chains: [ChainStatus],
        reportsTo: String? = nil,
        clock: NodeClock? = nil,
        storeWarning: Sentence? = nil
    ) {
        self.version = version
        self.network = network
        self.peer = peer
        self.listenAddresses = listenAddresses
        self.peers = peers
        self.records = records
        self.chains = chains
        self.reportsTo = reportsTo
        self.clock = clock
        self.storeWarning = storeWarning
    }
}

/// A node's wall clock, compared with the times of its chains and of linked peers.
public struct NodeClock: Codable, Hashable, Sendable, DescribedType {
    /// How far the chain's time is ahead of it, in seconds; `nil` if that cannot be compared.
    public var chainAheadSeconds: Int64?
    /// How far linked peers are ahead of it, in seconds; `nil` if none has reported its time.
    public var peersAheadSeconds: Int64?
    /// The fault and its remedy; empty if there is none.
    public var warnings: [Sentence]

    package static let fields: [String: FieldFacts] = [
        "chainAheadSeconds": FieldFacts(-3).about(
            "How far the chain's time is ahead of the clock; negative if behind."
        ),
        "peersAheadSeconds": FieldFacts(-1).about(
            "How far linked peers' clocks are ahead of it; negative if behind."
        ),
        "warnings": .warnings,
    ]

    public init(
        chainAheadSeconds: Int64? = nil,
        peersAheadSeconds: Int64? = nil,
        warnings: [Sentence] = []
    ) {
        self.chainAheadSeconds = chainAheadSeconds
        self.peersAheadSeconds = peersAheadSeconds
        self.warnings = warnings
    }
}

/// A chain as a node sees it.
public struct ChainStatus: Codable, Hashable, Sendable, DescribedType {
    public var chain: UInt64
    /// Its own currency, in which fees are paid.
    public var native: CurrencyUnit?
    /// `1559` or `legacy`: how the fees of transactions are stated; `nil` before its first block.
    public var fees: String?
    /// The number of blocks after which an event is final.
    public var confirmations: UInt64?
    /// The page of a transaction: a URL with `{transaction}` instead of its hash.
    public var explorer: String?
    /// `ready`, `connecting`, `wrong_chain`, `stale` or `unreachable`.
    public var health: String
    /// The fault and its remedy, in words.
    public var detail: String?
    /// The same in sentences.
    public var reason: [Sentence]?
    public var head: UInt64?
    public var headTime: Date?
    public var item: String
    /// The contracts that sell.
    public var contracts: [Contract]
    /// The accounts that the market's file offers to sellers as arbiters.
    public var arbiters: [Arbiter]
    /// How many endpoints confirm the shown state of the chain: 1 or 2.
    public var confirmedBy: Int
    /// The warnings for a person who relies on this chain.
    public var warnings: [Sentence]

    package static let fields: [String: FieldFacts] = [
        "chain": .chain,
        "fees": FieldFacts("1559").oneOf(["1559", "legacy"]).about(
            "How the fees of transactions are stated on this chain."
        ),
        "confirmations": FieldFacts(3).about("How many blocks make an event final."),
        "explorer": FieldFacts("https://…/{transaction}").about(
            "The page of a transaction, with {transaction} instead of its hash."
        ),
        "health": "ready", "detail": .detail,
        "reason": .about("The same in sentences."), "head": 7, "item": .address,
        "arbiters": .about("The arbiters that the market's file offers to sellers."),
        "confirmedBy": .about("How many endpoints confirm the shown state of the chain."),
        "warnings": .warnings,
    ]

    public init(
        chain: UInt64,
        native: CurrencyUnit? = nil,
        fees: String? = nil,
        confirmations: UInt64? = nil,
        explorer: String? = nil,
        health: String,
        detail: String?,
        reason: [Sentence]? = nil,
        head: UInt64?,
        headTime: Date?,
        item: String,
        contracts: [Contract],
        arbiters: [Arbiter] = [],
        confirmedBy: Int = 1,
        warnings: [Sentence] = []
    ) {
        self.chain = chain
        self.native = native
        self.fees = fees
        self.confirmations = confirmations
        self.explorer = explorer
        self.health = health
        self.detail = detail
        self.reason = reason
        self.head = head
        self.headTime = headTime
        self.item = item
        self.contracts = contracts
        self.arbiters = arbiters
        self.confirmedBy = confirmedBy
        self.warnings = warnings
    }

    /// An account that sellers can name as arbiter, if it is registered.
    public struct Arbiter: Codable, Hashable, Sendable, DescribedType {
        public var account: String
        public var name: String?

        package static let fields: [String: FieldFacts] = ["account": .address]

        public init(account: String, name: String?) { (self.account, self.name) = (account, name) }
    }

    /// A contract that carries out one kind of sale.
    public struct Contract: Codable, Hashable, Sendable, DescribedType {
        /// The kind of sale, see ``Sale/kind``.
        public var kind: String
        public var address: String

        package static let fields: [String: FieldFacts] = ["kind": .kind, "address": .address]

        public init(kind: String, address: String) { (self.kind, self.address) = (kind, address) }
    }
}

/// Another node that this one knows.
public struct Peer: Codable, Hashable, Sendable, DescribedType {
    public var id: String
    public var addresses: [String]
    public var isConnected: Bool
    /// `inbound` or `outbound`, while connected.
    public var direction: String?
    public var agent: String?
    /// The number of ids that the peer has and this node lacks, as the last exchange showed.
    public var missing: Int?

    package static let fields: [String: FieldFacts] = [
        "id": .peer, "addresses": "/ip4/…", "isConnected": true,
        "direction": FieldFacts("inbound").oneOf(["inbound", "outbound"]), "agent": "stoa/1",
        "missing": 0,
    ]

    public init(
        id: String,
        addresses: [String],
        isConnected: Bool,
        direction: String?,
        agent: String?,
        missing: Int?
    ) {
        self.id = id
        self.addresses = addresses
        self.isConnected = isConnected
        self.direction = direction
        self.agent = agent
        self.missing = missing
    }
}

/// Asks the node to link to a peer.
public struct PeerAddress: Codable, Hashable, Sendable, DescribedType {
    /// A multiaddr that ends in `/p2p/<peer id>`.
    public var address: String

    package static let fields: [String: FieldFacts] = ["address": .peerAddress]

    public init(address: String) {
        self.address = address
    }
}

/// An event of an account, in the account's order.
public struct Event: Codable, Hashable, Sendable, DescribedType {
    /// The types of an account's events.
    public static let accountTypes = [
        "listing", "sale", "message", "receipt", "operation", "deadline", "reopening",
        "mail_dropped", "grants_refused", "listing_found", "media", "gap",
    ]

    /// Contiguous per account, so that a gap means that events were missed; the ids of records'
    /// events rise, but are not contiguous.
    public var id: UInt64
    public var time: Date
    /// The kind of event.
    ///
    /// One of `listing`, `sale`, `message`, `receipt`, `operation`, `deadline` (see
    /// ``DeadlineNews``), `reopening`, `mail_dropped`, `grants_refused`, `listing_found`, `media`
    /// (a file that the account asked for is here now) and `gap`; of records `listing`,
    /// `listing_withdrawn`, `review`, `profile` and `gap`.
    public var type: String
    /// The id of the subject.
    public var subject: String
    /// The change, in short.
    public var data: [String: String]
    /// The texts of ``data`` in sentences, such as a phase or a warning; `nil` if it has none.
    public var words: [Sentence]?

    package static let fields: [String: FieldFacts] = [
        "type": "sale",
        "subject": .anyID.about("The id of its subject."),
        "data": FieldFacts(["phase": "paid"]),
        "words": .about("The texts of 'data' in sentences, if it has any."),
    ]

    public init(
        id: UInt64,
        time: Date,
        type: String,
        subject: String,
        data: [String: String],
        words: [Sentence]? = nil
    ) {
        self.id = id
        self.time = time
        self.type = type
        self.subject = subject
        self.data = data
        self.words = words
    }
}
