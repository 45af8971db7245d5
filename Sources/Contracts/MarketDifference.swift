package import Keys
package import Market

/// A difference between a market's contracts on a chain and the expected ones.
package enum MarketDifference: Hashable, Sendable {
    /// The item's address has other code, or none.
    case itemCode
    /// The item's address is not the one at which its factory makes it.
    case itemCreation
    /// The address of a sale contract has other code, or none.
    case code(of: SaleKind)
    /// The address is not the one at which the factory makes the contract with these arguments.
    case creation(of: SaleKind)
    /// The contract uses this item contract instead.
    case item(of: SaleKind, Address)
    /// The item contract is not sealed yet, or does not let the contract mint.
    case seal(of: SaleKind)
    case platform(of: SaleKind, Address)
    case platformBasisPoints(of: SaleKind, UInt64)
    case makerBasisPoints(of: SaleKind, UInt64)
    case tokens(of: SaleKind, [Address])

    /// The difference in words.
    package var description: String {
        switch self {
        case .itemCode: "the item contract has other code, or none"
        case .itemCreation: "the item contract was not made by the factory that the file names"
        case .code(let kind): "the \(kind) contract has other code, or none"
        case .creation(let kind):
            "the \(kind) contract was not made by the factory that the file names"
        case .item(let kind, let address):
            "the \(kind) contract's item contract is \(address.checksummed)"
        case .seal(let kind):
            "the item contract does not let the \(kind) contract mint, or is not sealed"
        case .platform(let kind, let address):
            "the platform of the \(kind) contract is \(address.checksummed)"
        case .platformBasisPoints(let kind, let points):
            "the platform's fee in the \(kind) contract is \(points) basis points"
        case .makerBasisPoints(let kind, let points):
            "the maker's share in the \(kind) contract is \(points) basis points"
        case .tokens(let kind, let tokens):
            "the tokens that the \(kind) contract accepts are "
                + "[\(tokens.map(\.checksummed).joined(separator: ", "))]"
        }
    }
}

extension ChainClient {
    /// Compares the contracts at a market's addresses with this program's own: their code, how they
    /// were made, their fees and currencies.
    ///
    /// - Parameters:
    ///   - market: The market, as its file describes it.
    ///   - contracts: The kinds of contracts that this program knows.
    /// - Returns: The first difference; `nil` if there is none.
    /// - Throws: ``EthereumError`` if the chain cannot be asked.
    package func difference(
        from market: DeployedMarket,
        _ contracts: SaleContracts
    ) async throws -> MarketDifference? {
        // First the code: the answers of another program mean nothing.
        guard try await hasCode(of: .item, at: market.item) else { return .itemCode }
        guard Self.isCreated(.item, at: market.item) else { return .itemCreation }
        let item = ItemContract(address: market.item.address)
        for listed in market.contracts {
            guard let contract = contracts.contract(listed.kind, at: listed.address) else {
                continue
            }
            let artifact = type(of: contract).artifact
            guard try await hasCode(of: artifact, at: listed.location) else {
                return .code(of: listed.kind)
            }
            guard Self.isCreated(artifact, at: listed.location) else {
                return .creation(of: listed.kind)
            }
            let difference = try await contract.difference(from: listed, in: market, self)
            if let difference { return difference }
            guard try await ask(item.isSealed), try await ask(item.isMinter(listed.address)) else {
                return .seal(of: listed.kind)
            }
        }
        return nil
    }

    private func hasCode(
        of artifact: Artifact,
        at location: DeployedMarket.Location
    ) async throws -> Bool {
        artifact.isCode(try await perform(.code(of: location.address)).bytes)
    }

    /// Whether the address is the one that the creation gives; `true` if the file names none.
    private static func isCreated(
        _ artifact: Artifact,
        at location: DeployedMarket.Location
    ) -> Bool {
        location.creation.map { $0.address(of: artifact.bytecode) == location.address } ?? true
    }
}
