package import Ethereum
package import Keys
package import Market

/// The market's item contract: ERC-721 tokens, each with its maker and the hash of its content.
///
/// Nobody owns it. A token is minted by its maker, or by a contract that the maker allowed; a sale
/// contract is allowed once, before the first listing there.
///
/// Source: Sources/Contracts/Vyper/Item.vy; Docs/contracts.md, section 2.
package struct ItemContract: Hashable, Sendable {
    package let address: Address

    package init(address: Address) {
        self.address = address
    }

    private static let interface = Artifact.item.interface
    private static let allowMinter = interface.known("allow_minter")
    private static let mint = interface.known("mint")
    private static let approve = interface.known("approve")
    private static let transferFrom = interface.known("transferFrom")
    private static let contentHash = interface.known("content_hash")
    private static let maker = interface.known("maker")
    private static let ownerOf = interface.known("ownerOf")
    private static let getApproved = interface.known("getApproved")
    private static let isMinter = interface.known("is_minter")
    private static let makerBasisPoints = interface.known("MAKER_BPS")
    private static let balanceOf = interface.known("balanceOf")
    private static let totalSupply = interface.known("totalSupply")

    /// Encodes the constructor's arguments.
    ///
    /// The maker's share of each sale is at most 1,000 basis points.
    package static func arguments(makerBasisPoints: UInt64) -> [UInt8] {
        written { try Artifact.item.arguments([.small(makerBasisPoints)]) }
    }

    /// Lets a contract mint tokens that name the caller as their maker, or no longer.
    ///
    /// - Parameters:
    ///   - minter: A sale contract whose code was proved; see ``MarketDifference``.
    ///   - isAllowed: Whether it may.
    /// - Returns: The call.
    package func allowMinter(_ minter: Address, _ isAllowed: Bool = true) -> ContractCall {
        ContractCall(to: address, Self.allowMinter, [.address(minter), .bool(isAllowed)])
    }

    /// Mints a token to the caller, who is the maker or was allowed by the maker.
    package func mint(maker: Address, contentHash: Bytes32) -> ContractCall {
        ContractCall(to: address, Self.mint, [.address(maker), .bytes32(contentHash)])
    }

    /// Lets `account`, such as a sale contract, move one token of the caller.
    package func approve(_ account: Address, token: Amount) -> ContractCall {
        ContractCall(to: address, Self.approve, [.address(account), .amount(token)])
    }

    package func transfer(token: Amount, from: Address, to: Address) -> ContractCall {
        ContractCall(
            to: address,
            Self.transferFrom,
            [.address(from), .address(to), .amount(token)]
        )
    }

    package func contentHash(of token: Amount) -> ContractQuery<Bytes32> {
        ContractQuery(to: address, Self.contentHash, [.amount(token)]) { try $0.bytes32() }
    }

    package func maker(of token: Amount) -> ContractQuery<Address> {
        ContractQuery(to: address, Self.maker, [.amount(token)]) { try $0.address() }
    }

    /// Reads the owner of a token; the contract reverts if the token does not exist.
    package func owner(of token: Amount) -> ContractQuery<Address> {
        ContractQuery(to: address, Self.ownerOf, [.amount(token)]) { try $0.address() }
    }

    /// Reads which account may move a token besides its owner; the zero address if none may.
    package func approved(for token: Amount) -> ContractQuery<Address> {
        ContractQuery(to: address, Self.getApproved, [.amount(token)]) { try $0.address() }
    }

    /// Reads whether `minter` can mint tokens that name `maker`.
    package func isMinter(_ minter: Address, for maker: Address) -> ContractQuery<Bool> {
        ContractQuery(to: address, Self.isMinter, [.address(maker), .address(minter)]) {
            try $0.bool()
        }
    }

    package func balance(of account: Address) -> ContractQuery<Amount> {
        ContractQuery(to: address, Self.balanceOf, [.address(account)]) { try $0.amount() }
    }

    package var makerBasisPoints: ContractQuery<UInt64> {
        ContractQuery(to: address, Self.makerBasisPoints) { try $0.small("a fee") }
    }

    /// The number of tokens.
    package var supply: ContractQuery<Amount> {
        ContractQuery(to: address, Self.totalSupply) { try $0.amount() }
    }
}
