package import Ethereum
package import Keys
package import Market

/// An event of the item contract.
package enum ItemEvent: Hashable, Sendable {
    /// A token was minted to `minter`: the maker, or a contract that the maker allowed.
    case minted(token: Amount, maker: Address, minter: Address, contentHash: Bytes32)
    /// A token moved; `from` is the zero address if the token is new.
    case transferred(token: Amount, from: Address, to: Address)
    /// `approved` may move the token; the zero address if nobody but the owner may.
    case approved(token: Amount, owner: Address, approved: Address)
    /// `maker` lets `minter` mint tokens that name `maker`, or no longer.
    case minterAllowed(maker: Address, minter: Address, isAllowed: Bool)
    /// Another event of the interface, about operators or the deployment.
    case other(name: String)
}

extension ItemContract {
    private static let events = Artifact.item.interface

    /// The first topics of all logs that ``decode(_:)`` decodes, for filters.
    static var topics: [Bytes32] { events.events.map(\.topic) }

    /// Decodes one log.
    ///
    /// - Throws: ``ABIError/topic`` for a log that is not of this contract.
    package func decode(_ log: ContractLog) throws(ABIError) -> ItemEvent {
        guard log.address == address, let topic = log.topics.first,
            let event = Self.events.event(topic: topic)
        else { throw .topic }
        var reader = try ABIValueReader(event.decode(log))
        switch event.name {
        case "Minted":
            return .minted(
                token: try reader.amount(),
                maker: try reader.address(),
                minter: try reader.address(),
                contentHash: try reader.bytes32()
            )
        case "Transfer":
            let (from, to) = (try reader.address(), try reader.address())
            return .transferred(token: try reader.amount(), from: from, to: to)
        case "Approval":
            let (owner, approved) = (try reader.address(), try reader.address())
            return .approved(token: try reader.amount(), owner: owner, approved: approved)
        case "MinterAllowed":
            let (maker, minter) = (try reader.address(), try reader.address())
            return .minterAllowed(maker: maker, minter: minter, isAllowed: try reader.bool())
        default: return .other(name: event.name)
        }
    }
}
