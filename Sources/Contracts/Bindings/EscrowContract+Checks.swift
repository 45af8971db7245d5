import Keys
package import Market

extension EscrowContract {
    package func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?> {
        self.sale(sale).map { $0 }
    }

    package func sale(in call: [UInt8], on chain: ChainID) -> SaleID? {
        Self.offer(in: call).map {
            SaleID(contract: ContractReference(chain: chain, address: address), offer: $0)
        }
    }

    /// Returns the offer in the data of a call; `nil` if the call is not about a sale.
    package static func offer(in call: [UInt8]) -> EscrowOffer? {
        guard let selector = FunctionSelector(startOf: call), let function = moves[selector] else {
            return nil
        }
        do {
            var reader = ABIValueReader(try function.decodeCall(call))
            var offer = try reader.tuple()
            return try EscrowOffer(&offer)
        } catch {
            return nil
        }
    }

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
