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
import Testing
import Trade

/// Two chains whose contracts have the same addresses.
struct SaleIndexesTests {
    private static let contract = SampleSale.contract.address
    private static let (one, two) = (ChainID(1), ChainID(2))

    /// The same market on a chain, without sales.
    private static func index(_ chain: ChainID) -> SaleIndex {
        let market = DeployedMarket(
            chain: chain,
            item: testKey(22).address,
            escrow: contract,
            fees: SampleSale.fees
        )
        return SaleIndex(deployment: market, confirmations: 1, clock: ManualClock())
    }

    /// The sample's sale, as its chain shows it.
    private static func show(_ sample: SampleSale, on index: SaleIndex) {
        let sale = sample.state
        let listed = ItemListing<EscrowTerms>(
            seller: sale.seller,
            token: Amount(small: 1),
            promise: sample.sale.state.promise,
            contentHash: sample.listing.identifier.contentHash(madeBy: sale.seller),
            salt: .zero,
            isMinted: true,
            terms: sale.terms
        )
        let hash = Bytes32(words: 1, 0, 0, 0)
        let position = EventPosition(
            blockNumber: 1,
            blockHash: hash,
            logIndex: 0,
            time: ChainTime(seconds: 1_763_700_000),
            transaction: hash
        )
        let event = EscrowEvent(
            sale: sample.reference.id,
            position: position,
            change: .listed(listed)
        )
        let applied = SaleLedger.Event(of: contract, .sale(event))
        _ = index.apply([(1, applied)], upTo: BlockID(number: 1, hash: hash))
    }

    /// - From people: a review or listing that names a contract with the same address on another
    ///   chain → held or refused; no peer is at fault
    @Test func `a record is anchored only on the chain that it names`() throws {
        let sample = try SampleSale(by: testKey(1), slot: Bytes32(repeating: 1))
        let record = try sample.record(at: RecordKeeper.now)
        let (shown, empty) = (Self.index(Self.one), Self.index(Self.two))
        Self.show(sample, on: shown)
        let both = SaleIndexes([empty, shown])
        #expect(both.sale(sample.reference) != nil)
        #expect(AnchorStatus.of(record, on: both) == .anchored)
        // Chain 2 has a contract of this address and shows no such sale; that decides nothing.
        #expect(AnchorStatus.of(record, on: SaleIndexes([empty])) == .refused(.foreignContract))

        // The same sale id and contract on the other chain is another sale.
        let contract = ContractReference(chain: Self.two, address: Self.contract)
        let other = SaleReference(contract: contract, id: sample.reference.id)
        #expect(both.sale(other) == nil && both.view(of: other) == nil)
        let review = try Review(
            sale: other,
            stars: 5,
            text: "Good",
            outcome: .complete,
            currency: sample.state.terms.currency,
            price: sample.state.terms.price
        )
        let forged = try SampleSale.record(.review(review), by: testKey(2), at: RecordKeeper.now)
        #expect(AnchorStatus.of(forged, on: both) == .held(.saleNotSeen))
        #expect(
            AnchorStatus.of(forged, on: SaleIndexes([shown])) == .refused(.foreignContract)
        )
        #expect(
            both.sales(of: [other, sample.reference, nil]).map { $0 == nil } == [
                true, false, true,
            ]
        )
    }

    @Test func `counts a seller on either chain as a party`() throws {
        let sample = try SampleSale(by: testKey(1), slot: Bytes32(repeating: 1))
        let (shown, empty) = (Self.index(Self.one), Self.index(Self.two))
        Self.show(sample, on: shown)
        let both = SaleIndexes([empty, shown])
        #expect(both.isParty(testKey(1).address) && !both.isParty(testKey(2).address))
        #expect(both.saleCount(of: testKey(1).address) == 1)
        #expect(both.views(of: testKey(1).address).map(\.sale.reference) == [sample.reference])
        #expect(SaleIndexes([]).saleCount(of: testKey(1).address) == 0)
    }

    @Test func `publishes a record on its chain's topic, and a profile on all`() async throws {
        let topics = RecordTopics(network: "test", chains: [Self.one, Self.two])
        let (first, second) = (Topic("/stoa/test/1"), Topic("/stoa/test/2"))
        #expect(topics.all == [first, second])
        let sample = try SampleSale(by: testKey(1), slot: Bytes32(repeating: 1))
        let listing = try sample.record(at: RecordKeeper.now)
        let profile = try SampleSale.record(
            .profile(Profile(name: "Ana")),
            by: testKey(1),
            at: RecordKeeper.now
        )
        #expect(topics.topics(of: listing) == [first])
        #expect(topics.topics(of: listing.bytes) == [first])
        #expect(topics.topics(of: profile.bytes) == [first, second])
        let foreign = RecordTopics(network: "test", chains: [Self.two, ChainID(3)])
        #expect(foreign.topics(of: listing).isEmpty)
    }

    @Test func `stores a record from another topic and forwards it on its own`() async throws {
        let sample = try SampleSale(by: testKey(1), slot: Bytes32(repeating: 1))
        let (shown, empty) = (Self.index(Self.one), Self.index(Self.two))
        Self.show(sample, on: shown)
        let view = SaleIndexes([shown, empty])
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let service = RecordService(
            store: store,
            network: SampleSale.network,
            rules: .light,
            view: view,
            announce: { _ in },
            clock: ManualWallClock(
                now: Date(
                    timeIntervalSince1970: Double(RecordKeeper.now.milliseconds) / 1_000
                )
            ),
            logger: quiet
        )
        let topics = RecordTopics(network: "test", chains: [Self.one, Self.two])
        let (first, second) = (topics.all[0], topics.all[1])
        let published = Mutex<[Topic]>([])
        let validator = TopicValidator(service, topics: topics) { _, topic in
            published.withLock { $0.append(topic) }
        }
        let listing = try sample.record(at: RecordKeeper.now)
        #expect(
            await validator.validate(listing.bytes, on: second, from: RecordOrigin.unknown)
                == .ignore
        )
        #expect(published.withLock { $0 } == [first])
        #expect(try store.read { try $0.hasRecord(listing.id) })

        // The seller's profile is anchored by chain 1, and shown to peers there alone.
        let profile = try SampleSale.record(
            .profile(Profile(name: "Ana")),
            by: testKey(1),
            at: RecordKeeper.now
        )
        #expect(
            await validator.validate(profile.bytes, on: first, from: RecordOrigin.unknown)
                == .accept
        )
        #expect(published.withLock { $0 } == [first, second])
        let source = StoreRecordSource(
            store: store,
            topics: topics,
            view: view,
            audit: try RecordAudit(store: store)
        )
        #expect(
            try Set(source.ids(on: first, after: nil, countMax: 9)) == [listing.id, profile.id]
        )
        #expect(try source.ids(on: second, after: nil, countMax: 9).isEmpty)
        #expect(try source.count(on: first) == 2 && source.count(on: second) == 0)
        #expect(!source.serves(Topic("/stoa/test/3")))
    }
}
