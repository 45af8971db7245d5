import Client
import Contracts
import Ethereum
import Gossip
import Keys
import Logging
import Mail
import MailSupport
import Market
import NIOCore
import Storage
import Support
import Testing

@testable import MediaFiles
@testable import Trade

/// A node that chats, with its digital works and what its chain shows.
///
/// Node is imported as testable: no API makes a node of these parts.
struct WorkNode {
    let chat: ChatNode
    let media: NodeMedia
    let works: DigitalWorks
    let follower: WorkFollower
    let delivery: WorkDelivery
    let index: SaleIndex
    /// The clock of follower and delivery.
    let clock = ManualClock()

    /// Adds what a node has beside chat; its files go to `folder`.
    init(_ chat: ChatNode, in folder: TemporaryFolder) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (store, limits) = (chat.store, BlobLimits(quotaBytes: 64 << 20))
        let files = try BlobFiles(
            folder: folder.path("blobs"),
            limits: limits,
            isPinned: { [store] id in try store.read { try $0.isMediaPinned(id) } }
        )
        let exchange = BlobExchange(
            links: chat.links,
            source: StoredBlobs(store: store, files: files),
            logger: logger
        )
        await exchange.register()
        var fetchLimits = BlobFetchLimits()
        fetchLimits.pause = .zero
        let fetches = BlobFetches(
            store: store,
            files: files,
            exchange: exchange,
            limits: fetchLimits,
            logger: logger
        )
        media = NodeMedia(store: store, files: files, limits: limits, fetches: fetches)
        index = Self.index()
        index.set(health: .following)
        works = DigitalWorks(chat: chat.chat, media: media, saleIndexes: SaleIndexes([index]))
        follower = WorkFollower(
            digitalWorks: works,
            accounts: chat.accounts,
            clock: clock,
            logger: logger
        )
        delivery = WorkDelivery(
            digitalWorks: works,
            saleIndexes: SaleIndexes([index]),
            accounts: chat.accounts,
            clock: clock,
            logger: logger
        )
        self.chat = chat
    }

    private static func index() -> SaleIndex {
        let market = DeployedMarket(
            chain: SampleSale.contract.chain,
            item: testKey(22).address,
            escrow: SampleSale.contract.address,
            fees: SampleSale.fees
        )
        return SaleIndex(deployment: market, confirmations: 1, clock: ManualClock())
    }

    /// Adds a file.
    func add(_ bytes: [UInt8], named name: String, by account: Address) async throws -> Work {
        try await works.add(Pieces(bytes: bytes), named: name, by: account)
    }

    /// How often what belongs to the account as a work was told to be here.
    func works(of account: Address) async throws -> [String: Bool] {
        let all = try await works.works(of: account)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.isHere) })
    }
}

/// An escrow sale of a work, as chains show it.
struct WorkSale {
    private static let time = ChainTime(seconds: 1_763_700_000)

    let sample: SampleSale
    private var events: [EscrowEvent.Change]

    /// Sells a work; without a buyer it is only offered.
    ///
    /// `number` tells the sale from others.
    init(
        of work: Work,
        _ number: UInt8 = 1,
        by seller: PrivateKey,
        to buyer: Address? = nil,
        arbiter: Address? = nil,
        isHandedOver: Bool = true
    ) throws {
        sample = try SampleSale(
            by: seller,
            slot: Bytes32(repeating: number),
            arbiter: arbiter,
            identifier: work.identifier
        )
        let terms = sample.state.terms
        let listed = ItemListing<Market.EscrowTerms>(
            seller: seller.address,
            token: Amount(small: 1),
            promise: sample.sale.state.promise,
            contentHash: sample.listing.identifier.contentHash(madeBy: seller.address),
            salt: .zero,
            isMinted: true,
            terms: terms
        )
        var events: [EscrowEvent.Change] = [.listed(listed)]
        if let buyer {
            events.append(
                .bought(
                    seller: seller.address,
                    buyer: buyer,
                    deadline: Self.time.advanced(by: terms.shipWindow)
                )
            )
        }
        if let buyer, isHandedOver {
            events.append(
                .itemTransferred(
                    seller: seller.address,
                    buyer: buyer,
                    deadline: Self.time.advanced(by: terms.confirmWindow)
                )
            )
        }
        self.events = events
    }

    /// Opens a dispute.
    mutating func dispute(by buyer: Address) {
        let deadline = Self.time.advanced(by: sample.state.terms.rulingWindow)
        let named = sample.state.terms.arbiter ?? .zero
        events.append(.disputed(buyer: buyer, arbiter: named, deadline: deadline))
    }

    /// Has the arbiter take the dispute.
    mutating func take(by arbiter: Address) { events.append(.taken(arbiter: arbiter)) }

    /// The transaction of a step, from 0, if the sale is shown from a height.
    static func transaction(_ step: UInt64, from height: UInt64 = 1) -> Bytes32 {
        Bytes32(words: height + step, 0, 0, 0)
    }

    /// Shows the sale and its listing to a node, in blocks of their own, without the first steps if
    /// it shows these already.
    func show(to node: WorkNode, from height: UInt64 = 1, without known: Int = 0) async throws {
        let time = Timestamp(milliseconds: 1_763_700_000_000)
        let record = RecordEntry(
            try sample.record(at: time),
            lane: .anchored,
            subject: sample.reference.id.hash
        )
        _ = try await node.chat.store.write { try $0.put([record], at: time) }
        for (place, change) in events.enumerated().dropFirst(known) {
            let height = height + UInt64(place)
            let hash = Self.transaction(0, from: height)
            let position = EventPosition(
                blockNumber: height,
                blockHash: hash,
                logIndex: 0,
                time: Self.time,
                transaction: hash
            )
            let event = SaleLedger.Event(
                of: SampleSale.contract.address,
                .sale(EscrowEvent(sale: sample.reference.id, position: position, change: change))
            )
            _ = node.index.apply([(height, event)], upTo: BlockID(number: height, hash: hash))
        }
        let shown = try #require(node.index.sale(sample.reference))
        try #require(shown.history.count == events.count)
    }
}
