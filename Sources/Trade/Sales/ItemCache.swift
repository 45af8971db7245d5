import Contracts
import Ethereum
import Keys
import Market
import Synchronization

/// The chain's facts about a token.
struct ItemDetails: Equatable, Sendable {
    let maker: Address
    let contentHash: Bytes32
    let owner: Address
}

/// Answers questions about tokens, one call of the chain each.
protocol ItemSource: Sendable {
    /// The newest block that the node has applied.
    var block: BlockID? { get }
    /// Returns the maker of a token; the zero address for a number that no token has.
    func maker(of token: Amount) async throws -> Address
    func contentHash(of token: Amount) async throws -> Bytes32
    func owner(of token: Amount) async throws -> Address
}

/// Asks the chain for tokens, and keeps the answers for as long as they are valid.
///
/// A token's maker and content never change; its owner is asked again once there is a new block.
final class ItemCache: Sendable {
    private struct Entry {
        let maker: Address
        let contentHash: Bytes32
        let owner: Address
        let block: BlockID?
    }

    /// The maximum number of tokens; when there are more, all are asked for again.
    private let countMax: Int
    private let entries = Mutex<[Amount: Entry]>([:])

    init(countMax: Int = 10_000) { self.countMax = countMax }

    /// Returns the chain's facts about a token; `nil` if it has none of this number.
    func details(of token: Amount, from source: some ItemSource) async throws -> ItemDetails? {
        let block = source.block
        let kept = entries.withLock { $0[token] }
        if let kept, block != nil, kept.block == block { return Self.details(kept) }
        let maker: Address
        let contentHash: Bytes32
        if let kept {
            (maker, contentHash) = (kept.maker, kept.contentHash)
        } else {
            maker = try await source.maker(of: token)
            guard maker != .zero else { return nil }
            contentHash = try await source.contentHash(of: token)
        }
        let entry = Entry(
            maker: maker,
            contentHash: contentHash,
            owner: try await source.owner(of: token),
            block: block
        )
        entries.withLock { entries in
            if entries.count >= countMax { entries = [:] }
            entries[token] = entry
        }
        return Self.details(entry)
    }

    private static func details(_ entry: Entry) -> ItemDetails {
        ItemDetails(maker: entry.maker, contentHash: entry.contentHash, owner: entry.owner)
    }
}

extension MarketChain: ItemSource {
    private var contract: ItemContract { ItemContract(address: deployment.item.address) }

    var block: BlockID? { saleIndex.applied }

    func maker(of token: Amount) async throws -> Address {
        try await asking { try await client.ask(contract.maker(of: token)) }
    }

    func contentHash(of token: Amount) async throws -> Bytes32 {
        try await asking { try await client.ask(contract.contentHash(of: token)) }
    }

    func owner(of token: Amount) async throws -> Address {
        try await asking { try await client.ask(contract.owner(of: token)) }
    }
}
