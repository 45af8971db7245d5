package import Keys
package import Market

/// A contract that sells items without deposits: what auctions and direct sales have in common.
///
/// Source: Sources/Contracts/Vyper/market.vy; Docs/contracts.md, sections 10 and 11.
package protocol ItemSaleContract: MoneyContract {
    associatedtype Terms: ItemTerms

    static var kind: SaleKind { get }

    /// Returns the offer in the data of a call; `nil` if the call is not about a sale.
    static func offer(in call: [UInt8]) -> ItemOffer<Terms>?
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

    /// Returns the sale that a call to this contract is about; `nil` if it is about none.
    ///
    /// A call carries the whole offer, whose hash with chain and contract is the sale's id.
    package func sale(in call: [UInt8], on chain: ChainID) -> SaleID? {
        Self.offer(in: call)?.id(on: ContractReference(chain: chain, address: address))
    }

    /// Compares what the contract says of itself with the market's file.
    ///
    /// - Parameters:
    ///   - contract: The contract as the file describes it.
    ///   - market: The market, with its item contract.
    ///   - client: The chain to ask.
    /// - Returns: The first difference; `nil` if there is none.
    /// - Throws: ``EthereumError`` if the chain cannot be asked.
    package func difference(
        from contract: DeployedMarket.Contract,
        in market: DeployedMarket,
        _ client: ChainClient
    ) async throws -> MarketDifference? {
        let found = try await client.ask(item)
        guard found == market.item.address else { return .item(of: Self.kind, found) }
        let chain = try await client.ask(chainID)
        guard chain == market.chain.number else { return .chain(of: Self.kind, chain) }
        let platform = try await client.ask(platform)
        guard platform == contract.fees.platform else { return .platform(of: Self.kind, platform) }
        let points = try await client.ask(platformBasisPoints)
        guard points == contract.fees.platformBasisPoints else {
            return .platformBasisPoints(of: Self.kind, points)
        }
        let makerPoints = try await client.ask(makerBasisPoints)
        guard makerPoints == contract.fees.makerBasisPoints else {
            return .makerBasisPoints(of: Self.kind, makerPoints)
        }
        let tokens = try await client.ask(currencies)
        guard Set(tokens) == Set(contract.tokens) else { return .tokens(of: Self.kind, tokens) }
        return nil
    }
}
