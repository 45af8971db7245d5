package import Ethereum
package import Keys
package import Market

/// A contract that sells items for money: the common part of the kinds of sale of one item.
///
/// Every move carries the whole offer, whose hash with chain and contract is the sale's id, because
/// the contract stores only that.
///
/// Source: Sources/Contracts/Vyper/market.vy; Docs/contracts.md, sections 3, 4, 10 and 11.
package protocol ItemSaleContract: MoneyContract {
    associatedtype Terms: ABITerms
    associatedtype Sale: StoredSale

    /// The functions whose first argument is an offer, by their selectors.
    static var moves: [FunctionSelector: ABIFunction] { get }
}

/// A sale as its contract stores it, decoded from the contract's struct.
package protocol StoredSale: ContractSale {
    /// Decodes the contract's struct `Sale`; `nil` if its status says that there is no sale.
    init?(_ reader: inout ABIValueReader) throws(ABIError)
}

extension ItemSaleContract {
    package var item: ContractQuery<Address> { query("ITEM") { try $0.address() } }

    package var platformBasisPoints: ContractQuery<UInt64> {
        query("PLATFORM_BPS") { try $0.small("a fee") }
    }

    package var makerBasisPoints: ContractQuery<UInt64> {
        query("MAKER_BPS") { try $0.small("a fee") }
    }

    /// Encodes the constructor's arguments of such a contract in a market.
    ///
    /// - Parameters:
    ///   - item: The market's item contract, already deployed, which fixes the maker's share.
    ///   - fees: The platform and its share.
    ///   - tokens: The ERC-20 tokens accepted besides the chain's native currency, at most 8.
    /// - Returns: The arguments, which follow the creation code.
    package static func arguments(item: Address, fees: MarketFees, tokens: [Address]) -> [UInt8] {
        encodedArguments([
            .address(item), .address(fees.platform), .small(fees.platformBasisPoints),
            .array(tokens.map { .address($0) }),
        ])
    }

    /// Returns the offer in the data of a call; `nil` if the call is not about a sale.
    package static func offer(in call: [UInt8]) -> ItemOffer<Terms>? {
        firstArgument(of: call, to: moves) { reader throws(ABIError) in
            var offer = try reader.tuple()
            return try ItemOffer(&offer)
        }
    }

    package func sale(in call: [UInt8], on chain: ChainID) -> SaleID? {
        Self.offer(in: call)?.id(on: ContractReference(chain: chain, address: address))
    }

    /// Asks the contract to compute the id that a sale has or will have.
    package func saleID(of offer: ItemOffer<Terms>) -> ContractQuery<SaleID> {
        query("sale_id", [offer.abiValue]) { SaleID(try $0.bytes32()) }
    }

    /// Reads a sale; `nil` if there is none with this id.
    package func sale(_ id: SaleID) -> ContractQuery<Sale?> {
        query("sale", [.bytes32(id.hash)]) { reader in
            var fields = try reader.tuple()
            return try Sale(&fields)
        }
    }

    package func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?> {
        self.sale(sale).map { $0 }
    }

    /// Offers an item for sale and pays in the seller's deposit, if the kind has one.
    ///
    /// The offer's seller must make the call. If the offer names a token, the contract must be
    /// approved for it first; if not, the contract mints one, and must be allowed to, see
    /// ``ItemContract/allowMinter(_:_:)``. If the currency is a token, the contract must be
    /// approved for the deposit first.
    ///
    /// - Returns: The call, with the deposit as its value if the currency is the native one.
    package func list(_ offer: ItemOffer<Terms>) -> ContractCall {
        move("list", offer, paying: offer.terms.listingDeposit)
    }

    /// Ends a sale that nobody has bought, which returns the item to the seller.
    package func abort(_ offer: ItemOffer<Terms>) -> ContractCall { move("abort", offer) }

    /// Creates the call of a move, whose first argument is the offer.
    func move(
        _ function: String,
        _ offer: ItemOffer<Terms>,
        _ arguments: [ABIValue] = [],
        paying amount: Amount = .zero
    ) -> ContractCall {
        call(function, [offer.abiValue] + arguments, paying: amount, in: offer.terms.currency)
    }

    package func difference(
        from contract: DeployedMarket.Contract,
        in market: DeployedMarket,
        _ client: ChainClient
    ) async throws -> MarketDifference? {
        let found = try await client.ask(item)
        guard found == market.item.address else { return .item(of: Self.kind, found) }
        let points = try await client.ask(platformBasisPoints)
        guard points == contract.fees.platformBasisPoints else {
            return .platformBasisPoints(of: Self.kind, points)
        }
        let makerPoints = try await client.ask(makerBasisPoints)
        guard makerPoints == contract.fees.makerBasisPoints else {
            return .makerBasisPoints(of: Self.kind, makerPoints)
        }
        return try await moneyDifference(from: contract, in: market, client)
    }
}
