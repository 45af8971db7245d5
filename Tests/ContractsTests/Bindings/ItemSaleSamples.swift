import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

/// Offers, accounts and logs shared by the tests of auctions, direct sales and courses.
enum ItemSaleSamples {
    static let contract = number(0xA0).address
    static let (seller, buyer) = (number(5).address, number(6).address)
    static let maker = number(4).address
    static let sale = SaleID(Bytes32(repeating: 3))
    static let position = EventPosition(
        blockNumber: 10,
        blockHash: Bytes32(repeating: 8),
        logIndex: 2,
        time: ChainTime(seconds: 77),
        transaction: Bytes32(repeating: 9)
    )

    static func auction(_ currency: Currency) -> ItemOffer<AuctionTerms> {
        offer(AuctionTerms(currency: currency, startingBid: Amount(small: 1_000)))
    }

    static func direct(_ currency: Currency) -> ItemOffer<DirectSaleTerms> {
        offer(
            DirectSaleTerms(
                currency: currency,
                price: Amount(small: 1_000),
                offerUntil: ChainTime(seconds: 99),
                buyer: buyer
            )
        )
    }

    static func course(_ currency: Currency) -> CourseTerms {
        CourseTerms(
            currency: currency,
            price: Amount(small: 10_000),
            seats: 12,
            start: ChainTime(seconds: 100),
            end: ChainTime(seconds: 200)
        )
    }

    private static func offer<Terms: ItemTerms>(_ terms: Terms) -> ItemOffer<Terms> {
        ItemOffer(
            seller: seller,
            salt: Bytes32(repeating: 1),
            token: Amount(small: 7),
            maker: maker,
            contentHash: Bytes32(repeating: 2),
            promise: Bytes32(repeating: 4),
            terms: terms
        )
    }

    /// The offer as the contract's struct, written out once more by hand.
    static func value(
        _ terms: ABIValue,
        token: BigUInt = 7,
        maker: Address = Self.maker
    ) -> ABIValue {
        .tuple([
            .address(seller), .bytes32(Bytes32(repeating: 1)), .uint(token), .address(maker),
            .bytes32(Bytes32(repeating: 2)), .bytes32(Bytes32(repeating: 4)), terms,
        ])
    }

    static let auctionTerms = ABIValue.tuple([
        .address(.zero), .uint(604_800), .uint(1_000), .uint(500), .uint(600),
    ])
    static let directTerms = ABIValue.tuple([
        .address(.zero), .uint(1_000), .uint(99), .address(number(6).address),
    ])
    static let courseTerms = ABIValue.tuple([
        .address(.zero), .uint(10_000), .uint(12), .uint(100), .uint(200), .uint(259_200),
        .uint(1_209_600),
    ])

    /// Encodes a log of `artifact`'s contract.
    static func log(
        _ artifact: Artifact,
        _ name: String,
        _ topics: [Bytes32],
        _ values: [ABIValue]
    ) throws -> ContractLog {
        let event = try artifact.interface.event(name)
        let types = event.inputs.filter { !$0.isIndexed }.map(\.type)
        return ContractLog(
            address: contract,
            topics: [event.topic] + topics,
            data: try ABI.encode(values, as: types)
        )
    }

    /// Checks that a binding refuses logs that its contract cannot have written.
    static func expectRefusals<Event>(
        of good: ContractLog,
        _ decode: (ContractLog, EventPosition) throws -> Event
    ) {
        let foreign = ContractLog(address: .zero, topics: good.topics, data: good.data)
        #expect(throws: ABIError.topic) { try decode(foreign, position) }
        let unknown = ContractLog(address: contract, topics: [.zero], data: [])
        #expect(throws: ABIError.topic) { try decode(unknown, position) }
        let short = ContractLog(
            address: contract,
            topics: good.topics,
            data: [UInt8](good.data.dropLast())
        )
        #expect(throws: ABIError.self) { try decode(short, position) }
        let late = EventPosition(
            blockNumber: 10,
            blockHash: .zero,
            logIndex: 2,
            time: ChainTime(seconds: 78),
            transaction: .zero
        )
        #expect(throws: ABIError.meaningless("a time that is not the block's")) {
            try decode(good, late)
        }
    }
}
