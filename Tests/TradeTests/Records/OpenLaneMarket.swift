import Concurrency
import Contracts
import Ethereum
import Foundation
import GossipProtocol
import Keys
import Market
import Records
import Storage
import Support
import Synchronization
import Trade

/// A record service on a real store, and a chain that shows what a test tells it.
struct OpenLaneMarket {
    /// Shows who is a party, and which sales there are.
    final class Chain: ChainView, Sendable {
        let parties = Mutex<Set<Address>>([])
        private let saleIndex: SaleIndex

        init(_ saleIndex: SaleIndex) { self.saleIndex = saleIndex }

        func role(of contract: ContractReference) -> ContractRole {
            saleIndex.role(of: contract)
        }
        func sale(_ sale: SaleReference) -> Sale? { saleIndex.sale(sale) }
        func isParty(_ account: Address) -> Bool {
            parties.withLock { $0.contains(account) } || saleIndex.isParty(account)
        }
    }

    static let rules = OpenLaneRules(triesPerKibibyte: 256)
    private static let start = ChainTime(seconds: 1_763_700_000)
    private static let slot = Bytes32(repeating: 5)

    let store: Store
    let clock = TurnedClock()
    let chain: Chain
    let recordService: RecordService
    let announced = BoundedQueue<[UInt8]>(elementsMax: 100)
    private let saleIndex: SaleIndex
    private let market: DeployedMarket

    init(
        in folder: TemporaryFolder,
        limits: StoreLimits = StoreLimits(),
        budgets: RecordAdmissionLimits = RecordAdmissionLimits()
    ) throws {
        market = DeployedMarket()
        saleIndex = SaleIndex(deployment: market, confirmations: 3, clock: ManualClock())
        chain = Chain(saleIndex)
        store = try Store(folder: folder.path, mapBytes: 1 << 28, limits: limits)
        recordService = RecordService(
            store: store,
            network: "test",
            rules: Self.rules,
            budgets: budgets,
            view: chain,
            announce: { [announced] bytes in _ = announced.offer(bytes) },
            clock: clock,
            logger: quiet
        )
    }

    /// A profile as its author signed it, without a stamp.
    func profile(_ author: PrivateKey, about: String = "") throws -> SignedRecord {
        try record(.profile(Profile(name: "Somebody", about: about)), by: author)
    }

    /// A listing that names its sale, and what the chain says of it.
    func listing(by author: PrivateKey) throws -> (record: SignedRecord, sale: SaleReference) {
        let terms = try terms()
        let plain = try listing(terms)
        let listed = Self.listed(plain, terms, by: author.address)
        let id = listed.offer.id(on: market.contract)
        let listing = plain.anchored(contract: market.escrow, sale: id)
        let reference = SaleReference(contract: market.contract, id: id)
        return (try record(.listing(listing), slot: Self.slot, by: author), reference)
    }

    /// A listing without a sale, as its author signed it, without a stamp.
    func listingWithoutSale(by author: PrivateKey) throws -> SignedRecord {
        try record(.listing(listing(terms())), slot: Self.slot, by: author)
    }

    private func terms() throws -> EscrowTerms {
        try EscrowTerms.standard(
            price: Amount(small: 10_000),
            currency: .native,
            form: .goods,
            now: Self.start
        )
    }

    private func listing(_ terms: EscrowTerms) throws -> Listing {
        try Listing(
            form: .goods,
            title: "Red bicycle",
            description: "Rides well.",
            category: "vehicle",
            tags: ["red"],
            identifier: ItemIdentifier(normalising: "WTU-123"),
            delivery: .shipping(ShippingLimits(.places(.countries, ["germany"]))),
            chain: market.chain,
            terms: .escrow(terms)
        )
    }

    /// Lets the chain show the listing's sale, in three blocks; the sales that are final by then.
    func show(_ record: SignedRecord) throws -> Set<SaleID> {
        guard case .listing(let listing) = record.content, let sale = listing.sale,
            case .escrow(let terms) = listing.terms
        else { return [] }
        let hash = { (height: UInt64) in Bytes32(words: height, 1, 0, 0) }
        let position = EventPosition(
            blockNumber: 10,
            blockHash: hash(10),
            logIndex: 0,
            time: Self.start,
            transaction: hash(10)
        )
        let event = EscrowEvent(
            sale: sale.id,
            position: position,
            change: .listed(Self.listed(listing, terms, by: record.author))
        )
        let first = SaleLedger.Event(of: sale.contract.address, .sale(event))
        _ = saleIndex.apply([(10, first)], upTo: BlockID(number: 10, hash: hash(10)))
        return saleIndex.apply([], upTo: BlockID(number: 12, hash: hash(12)))
    }

    func record(
        _ content: RecordContent,
        slot: Bytes32 = .zero,
        by author: PrivateKey
    ) throws -> SignedRecord {
        try RecordDraft(
            network: "test",
            author: author.address,
            content: content,
            slot: slot,
            createdAt: Timestamp(
                milliseconds: UInt64(clock.now.timeIntervalSince1970 * 1_000)
            )
        ).signed(by: author)
    }

    func isHere(_ record: SignedRecord) throws -> Bool {
        try store.read { try $0.hasRecord(record.id) }
    }

    static func origin(_ number: Int) -> RecordOrigin {
        RecordOrigin(place: UInt64(number), kind: 4)
    }

    private static func listed(
        _ listing: Listing,
        _ terms: EscrowTerms,
        by seller: Address
    ) -> ItemListing<EscrowTerms> {
        ItemListing<EscrowTerms>(
            seller: seller,
            token: Amount(small: 1),
            promise: ListingCommitment(of: listing, slot: slot).hash,
            contentHash: listing.identifier.contentHash(madeBy: seller),
            salt: .zero,
            isMinted: true,
            terms: terms
        )
    }
}
