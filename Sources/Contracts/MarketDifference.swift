import Ethereum
package import Keys
package import Market

/// A difference between a market's contracts on a chain and the expected ones.
package enum MarketDifference: Hashable, Sendable {
    /// The item's address has other code, or none.
    case itemCode
    /// The item's address differs from the one at which its factory creates it.
    case itemCreation
    /// The address of a sale contract has other code, or none.
    case code(of: SaleKind)
    /// The address differs from the one at which the factory creates the contract with these
    /// arguments.
    case creation(of: SaleKind)
    /// The contract uses this item contract instead.
    case item(of: SaleKind, Address)
    /// The contract was deployed while the chain had this id, and computes the ids of sales with
    /// it.
    case chain(of: SaleKind, UInt64)
    case platform(of: SaleKind, Address)
    case platformBasisPoints(of: SaleKind, UInt64)
    case makerBasisPoints(of: SaleKind, UInt64)
    case tokens(of: SaleKind, [Address])
    /// The token counts in other decimals than the file says; `nil` if it does not say how many.
    case decimals(of: Address, UInt64?)

    /// The difference in words.
    package var description: String {
        switch self {
        case .itemCode: "the item contract has other code, or none"
        case .itemCreation:
            "the item contract's address is not the one that its factory and salt give with the fees "
                + "in the file"
        case .code(let kind): "the \(kind) contract has other code, or none"
        case .creation(let kind):
            "the \(kind) contract's address is not the one that its factory and salt give with the "
                + "item, fees and tokens in the file"
        case .item(let kind, let address):
            "the \(kind) contract's item contract is \(address.checksummed)"
        case .chain(let kind, let id):
            "the \(kind) contract was deployed while the chain's id was \(id)"
        case .platform(let kind, let address):
            "the platform of the \(kind) contract is \(address.checksummed)"
        case .platformBasisPoints(let kind, let points):
            "the platform's fee in the \(kind) contract is \(points) basis points"
        case .makerBasisPoints(let kind, let points):
            "the maker's share in the \(kind) contract is \(points) basis points"
        case .tokens(let kind, let tokens):
            "the tokens that the \(kind) contract accepts are "
                + "[\(tokens.map(\.checksummed).joined(separator: ", "))]"
        case .decimals(let token, let decimals):
            "the token \(token.checksummed) counts in "
                + (decimals.map { "\($0)" } ?? "an unknown number of")
                + " decimals"
        }
    }
}

extension ChainClient {
    /// Compares the contracts at a market's addresses with this program's own.
    ///
    /// First each address is computed from this program's creation code and the arguments in the
    /// file, which proves the deployed code, then the code is compared, and last the contracts' own
    /// statements. The history of the contracts is not needed.
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
        guard market.item.isCreated(from: .item) else { return .itemCreation }
        guard try await hasCode(of: .item, at: market.item) else { return .itemCode }
        for listed in market.contracts {
            guard let contract = contracts.contract(listed.kind, at: listed.address) else {
                continue
            }
            let artifact = type(of: contract).artifact
            guard listed.location.isCreated(from: artifact) else {
                return .creation(of: listed.kind)
            }
            guard try await hasCode(of: artifact, at: listed.location) else {
                return .code(of: listed.kind)
            }
            let difference = try await contract.difference(from: listed, in: market, self)
            if let difference { return difference }
        }
        if let difference = try await decimalsDifference(from: market) { return difference }
        // The contracts' answers come from an endpoint; the constructor arguments do not.
        return market.unproven(contracts)
    }

    private func hasCode(
        of artifact: Artifact,
        at location: DeployedMarket.Location
    ) async throws -> Bool {
        artifact.isCode(try await code(of: location.address))
    }
}

extension DeployedMarket {
    /// Returns the first contract whose address does not prove the market's file's statement about
    /// it.
    ///
    /// The proof needs neither the chain nor its history: each address is computed from this
    /// program's own creation code and the file's factory and salt, with arguments that are made
    /// here from the file's item, fees and tokens.
    ///
    /// Source: EIP-1014; Docs/contracts.md, section 1.
    ///
    /// - Parameter contracts: The kinds of contracts that this program knows; others are skipped.
    /// - Returns: ``MarketDifference/itemCreation`` or ``MarketDifference/creation(of:)``; `nil` if
    ///   every address is proved.
    package func unproven(_ contracts: SaleContracts) -> MarketDifference? {
        guard item.isCreated(from: .item) else { return .itemCreation }
        for listed in self.contracts {
            guard let contract = contracts.contract(listed.kind, at: listed.address) else {
                continue
            }
            let share = listed.fees.makerBasisPoints
            guard item.creation.arguments == ItemContract.arguments(makerBasisPoints: share) else {
                return .itemCreation
            }
            let type = type(of: contract)
            let arguments = type.arguments(
                item: item.address,
                fees: listed.fees,
                tokens: listed.tokens
            )
            guard listed.location.isCreated(from: type.artifact),
                listed.location.creation.arguments == arguments
            else { return .creation(of: listed.kind) }
        }
        return nil
    }
}

extension DeployedMarket.Location {
    /// Returns whether the creation yields the address.
    fileprivate func isCreated(from artifact: Artifact) -> Bool {
        creation.address(of: artifact.bytecode) == address
    }
}
