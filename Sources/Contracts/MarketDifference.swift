package import Keys
package import Market

/// Where a chain has another market than is believed.
package enum MarketDifference: Hashable, Sendable {
    /// Another program is there, or none.
    case itemCode
    case escrowCode
    /// The escrow trades in tokens of this contract.
    case item(Address)
    /// The item's minters are not fixed yet, or the escrow is none of them.
    case seal
    case platform(Address)
    case platformBasisPoints(UInt64)
    case makerBasisPoints(UInt64)
    case currencies([Address])

    /// For people.
    package var words: String {
        switch self {
        case .itemCode: "the item is another program, or none"
        case .escrowCode: "the escrow is another program, or none"
        case .item(let address): "the escrow's item is \(address.checksummed)"
        case .seal: "the item does not let the escrow mint, or is not sealed"
        case .platform(let address): "the platform is \(address.checksummed)"
        case .platformBasisPoints(let points): "the platform's fee is \(points) basis points"
        case .makerBasisPoints(let points): "the maker's part is \(points) basis points"
        case .currencies(let tokens):
            "the tokens taken are [\(tokens.map(\.checksummed).joined(separator: ", "))]"
        }
    }
}

extension ChainClient {
    /// Holds what the chain has at a deployment's addresses against this program's own contracts,
    /// their fees and currencies.
    ///
    /// - Returns: The first that differs; `nil` if nothing does.
    /// - Throws: ``EthereumError`` if the chain cannot be asked.
    package func difference(
        from deployment: Deployment,
        with fees: MarketFees
    ) async throws -> MarketDifference? {
        let item = ItemContract(address: deployment.item)
        let escrow = EscrowContract(address: deployment.escrow)
        // The code first: only what it is can be believed in what it says.
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
