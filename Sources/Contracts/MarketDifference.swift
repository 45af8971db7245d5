package import Keys
package import Market

/// A difference between a market's contracts on a chain and the expected ones.
package enum MarketDifference: Hashable, Sendable {
    /// The item's address has other code, or none.
    case itemCode
    /// The escrow's address has other code, or none.
    case escrowCode
    /// The escrow uses this item contract instead.
    case item(Address)
    /// The item contract is not sealed yet, or does not let the escrow mint.
    case seal
    case platform(Address)
    case platformBasisPoints(UInt64)
    case makerBasisPoints(UInt64)
    case currencies([Address])

    /// Describes the difference for people.
    package var words: String {
        switch self {
        case .itemCode: "the item contract has other code, or none"
        case .escrowCode: "the escrow contract has other code, or none"
        case .item(let address): "the escrow's item contract is \(address.checksummed)"
        case .seal: "the item contract does not let the escrow mint, or is not sealed"
        case .platform(let address): "the platform is \(address.checksummed)"
        case .platformBasisPoints(let points): "the platform's fee is \(points) basis points"
        case .makerBasisPoints(let points): "the maker's share is \(points) basis points"
        case .currencies(let tokens):
            "the accepted tokens are [\(tokens.map(\.checksummed).joined(separator: ", "))]"
        }
    }
}

extension ChainClient {
    /// Compares the contracts at a deployment's addresses with this program's own: their code,
    /// fees and currencies.
    ///
    /// - Returns: The first difference; `nil` if there is none.
    /// - Throws: ``EthereumError`` if the chain cannot be asked.
    package func difference(
        from deployment: Deployment,
        with fees: MarketFees
    ) async throws -> MarketDifference? {
        let item = ItemContract(address: deployment.item)
        let escrow = EscrowContract(address: deployment.escrow)
        // First the code: the answers of another program mean nothing.
        guard Artifact.item.isCode(try await perform(.code(of: deployment.item)).bytes) else {
            return .itemCode
        }
        guard Artifact.escrow.isCode(try await perform(.code(of: deployment.escrow)).bytes) else {
            return .escrowCode
        }
        let found = try await ask(escrow.item)
        guard found == deployment.item else { return .item(found) }
        guard try await ask(item.isSealed), try await ask(item.isMinter(deployment.escrow)) else {
            return .seal
        }
        let platform = try await ask(escrow.platform)
        guard platform == fees.platform else { return .platform(platform) }
        let platformPoints = try await ask(escrow.platformBasisPoints)
        guard platformPoints == fees.platformBasisPoints else {
            return .platformBasisPoints(platformPoints)
        }
        let makerPoints = try await ask(escrow.makerBasisPoints)
        guard makerPoints == fees.makerBasisPoints else { return .makerBasisPoints(makerPoints) }
        let currencies = try await ask(escrow.currencies)
        guard Set(currencies) == Set(deployment.tokens) else { return .currencies(currencies) }
        return nil
    }
}
