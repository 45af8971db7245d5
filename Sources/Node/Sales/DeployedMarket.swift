package import Contracts
import Foundation
package import Keys
package import Market

/// The market's contracts on one chain, as `stoa chain deploy` wrote them to a file.
package struct DeployedMarket: Hashable, Sendable {
    package let chain: ChainID
    package let item: Address
    package let escrow: Address
    /// No event of the contracts is in an earlier block.
    package let firstBlock: UInt64
    package let fees: MarketFees
    /// ERC-20 tokens that are accepted besides the chain's own money.
    package let tokens: [Address]

    package init(
        chain: ChainID,
        item: Address,
        escrow: Address,
        firstBlock: UInt64,
        fees: MarketFees,
        tokens: [Address]
    ) {
        self.chain = chain
        (self.item, self.escrow) = (item, escrow)
        self.firstBlock = firstBlock
        (self.fees, self.tokens) = (fees, tokens)
    }

    /// Takes the deployer's result, and the fees that it was given.
    package init(_ deployment: Contracts.Deployment, fees: MarketFees) {
        self.init(
            chain: deployment.chain,
            item: deployment.item,
            escrow: deployment.escrow,
            firstBlock: deployment.block,
            fees: fees,
            tokens: deployment.tokens
        )
    }

    /// The deployment, as the deployer returned it.
    package var deployment: Contracts.Deployment {
        Contracts.Deployment(
            chain: chain,
            item: item,
            escrow: escrow,
            tokens: tokens,
            block: firstBlock
        )
    }

    package var contract: ContractReference {
        ContractReference(chain: chain, address: escrow)
    }

    /// The logs that the chain's follower asks for.
    package var filter: LogFilter {
        LogFilter(addresses: [escrow], topics: EscrowContract.topics, firstBlock: firstBlock)
    }

    /// Every currency that a sale can be in.
    package var currencies: [Currency] { [.native] + tokens.map { .token($0) } }

    /// Reads the file that the setting `chain.deployment` names.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - chain: The chain that the node is configured for.
    /// - Throws: ``DeploymentError``, which says what to do next.
    package init(file path: String, chain: ChainID) throws(DeploymentError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .missing(path: path)
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: data)
        } catch {
            throw .malformed(path: path, reason: Self.reason(of: error))
        }
        guard document.chain == chain.number else {
            throw .otherChain(path: path, found: ChainID(document.chain), configured: chain)
        }
        try self.init(document, path: path)
    }

    private init(_ document: Document, path: String) throws(DeploymentError) {
        func address(_ text: String, _ field: String) throws(DeploymentError) -> Address {
            guard let address = try? Address(text: text), address != .zero else {
                throw .malformed(path: path, reason: "'\(field)' is not an address: '\(text)'")
            }
            return address
        }
        let platform = try address(document.platform, "platform")
        guard
            let fees = MarketFees(
                platformBasisPoints: document.platformBasisPoints,
                makerBasisPoints: document.makerBasisPoints,
                platform: platform
            )
        else { throw .malformed(path: path, reason: "a fee is above what the contracts allow") }
        var tokens: [Address] = []
        for token in document.tokens { tokens.append(try address(token, "tokens")) }
        self.init(
            chain: ChainID(document.chain),
            item: try address(document.item, "item"),
            escrow: try address(document.escrow, "escrow"),
            firstBlock: document.firstBlock,
            fees: fees,
            tokens: tokens
        )
    }

    /// The text of the file.
    package var json: [UInt8] {
        let document = Document(
            chain: chain.number,
            item: item.checksummed,
            escrow: escrow.checksummed,
            firstBlock: firstBlock,
            platform: fees.platform.checksummed,
            platformBasisPoints: fees.platformBasisPoints,
            makerBasisPoints: fees.makerBasisPoints,
            tokens: tokens.map(\.checksummed)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return [UInt8](try encoder.encode(document)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("texts and numbers always encode: \(error)")
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
        default: "it is not JSON"
        }
    }

    private struct Document: Codable {
        let chain: UInt64
        let item: String
        let escrow: String
        let firstBlock: UInt64
        let platform: String
        let platformBasisPoints: UInt64
        let makerBasisPoints: UInt64
        let tokens: [String]
    }
}

/// Why a deployment file cannot be used.
package enum DeploymentError: Error, Equatable, Sendable {
    case missing(path: String)
    case malformed(path: String, reason: String)
    case otherChain(path: String, found: ChainID, configured: ChainID)
}

extension DeploymentError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let path):
            """
            chain.deployment names '\(path)', which cannot be read. Run 'stoa chain deploy', or \
            correct the path.
            """
        case .malformed(let path, let reason):
            "\(path) is not a deployment file: \(reason). Write it again with 'stoa chain deploy'."
        case .otherChain(let path, let found, let configured):
            """
            \(path) is of chain \(found), but chain.id is \(configured). Correct chain.id, or \
            name the deployment of chain \(configured).
            """
        }
    }
}
