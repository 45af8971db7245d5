package import Keys
package import Market

/// A market's contracts on one chain: one for the items, and any number that sell.
///
/// Source: Docs/operations.md, section 6.1.
package struct DeployedMarket: Hashable, Sendable {
    /// A contract's address, and the proof of the deployed code.
    package struct Location: Hashable, Sendable {
        package let address: Address
        /// No event of the contract is in an earlier block.
        package let firstBlock: UInt64
        /// The inputs of the address, together with this program's own creation code.
        package let creation: ContractCreation

        package init(address: Address, firstBlock: UInt64, creation: ContractCreation) {
            (self.address, self.firstBlock) = (address, firstBlock)
            self.creation = creation
        }
    }

    /// A contract that carries out one kind of sale.
    package struct Contract: Hashable, Sendable {
        package let kind: SaleKind
        package let location: Location
        package let fees: MarketFees
        /// The ERC-20 tokens that it takes besides the chain's own money.
        package let tokens: [Address]

        package init(kind: SaleKind, location: Location, fees: MarketFees, tokens: [Address]) {
            (self.kind, self.location) = (kind, location)
            (self.fees, self.tokens) = (fees, tokens)
        }

        package var address: Address { location.address }
        /// Every currency that its sales can be in.
        package var currencies: [Currency] { [.native] + tokens.map { .token($0) } }
    }

    /// An ERC-20 token, with its own details at the time when the market was deployed.
    package struct Token: Hashable, Sendable {
        package let address: Address
        package let name: String?
        package let symbol: String?
        package let decimals: UInt8?

        package init(
            address: Address,
            name: String? = nil,
            symbol: String? = nil,
            decimals: UInt8? = nil
        ) {
            (self.address, self.name) = (address, name)
            (self.symbol, self.decimals) = (symbol, decimals)
        }
    }

    /// An account that the market's file names for sellers who want an arbiter.
    ///
    /// The contract says for which fee, and until when, the account is an arbiter.
    package struct Arbiter: Hashable, Sendable {
        package let account: Address
        package let name: String?

        package init(account: Address, name: String?) {
            (self.account, self.name) = (account, name)
        }
    }

    package let chain: ChainID
    package let item: Location
    /// The contracts whose kind of sale this program knows.
    ///
    /// A market can have several of one kind: sales continue in all, and begin in the last one.
    package let contracts: [Contract]
    /// The contracts of other kinds; nothing is listed, bought or followed there.
    package let unknown: [Address: SaleKind]
    /// The tokens that the contracts take.
    package let tokens: [Token]
    /// The chain's native currency; `nil` calls it as usual on that chain.
    package let native: CurrencyDescription?
    /// The arbiters that are offered to sellers.
    package let arbiters: [Arbiter]
    /// Every currency of the market's contracts, each once.
    package let currencies: [Currency]
    /// The market's currencies, as people read and write them.
    package let registry: CurrencyRegistry

    package init(
        chain: ChainID,
        item: Location,
        contracts: [Contract],
        unknown: [Address: SaleKind] = [:],
        tokens: [Token] = [],
        native: CurrencyDescription? = nil,
        arbiters: [Arbiter] = []
    ) {
        (self.chain, self.item, self.native) = (chain, item, native)
        (self.contracts, self.unknown, self.tokens) = (contracts, unknown, tokens)
        self.arbiters = arbiters
        currencies = Self.currencies(of: contracts)
        registry = Self.registry(of: currencies, on: chain, native: native, tokens: tokens)
    }

    /// Returns the contract at an address.
    package func contract(at address: Address) -> Contract? {
        contracts.first { $0.address == address }
    }

    /// Returns the contract in which new sales of a kind begin.
    package func contract(for kind: SaleKind) -> Contract? { contracts.last { $0.kind == kind } }

    package func reference(to contract: Contract) -> ContractReference {
        ContractReference(chain: chain, address: contract.address)
    }

    private static func currencies(of contracts: [Contract]) -> [Currency] {
        var currencies: [Currency] = [.native]
        for contract in contracts {
            currencies += contract.currencies.filter { !currencies.contains($0) }
        }
        return currencies
    }

    private static func registry(
        of currencies: [Currency],
        on chain: ChainID,
        native: CurrencyDescription?,
        tokens: [Token]
    ) -> CurrencyRegistry {
        CurrencyRegistry(
            chain: chain,
            native: native,
            tokens: currencies.compactMap { currency in
                guard case .token(let address) = currency else { return nil }
                let token = tokens.first { $0.address == address }
                let description = CurrencyDescription(
                    name: token?.name,
                    symbol: token?.symbol,
                    decimals: token?.decimals.map(UInt64.init)
                )
                return (address, description)
            }
        )
    }

    /// The addresses and first blocks of all contracts that are followed, the item's first.
    var locations: [Location] { [item] + contracts.map(\.location) }
}

/// The proof of the address of a contract created by CREATE2, without any history.
///
/// Equal runtime code proves nothing, because creation code can write storage first. The address
/// commits to the whole creation code, so the factory can be anybody's.
///
/// Source: EIP-1014; Docs/contracts.md, section 1.
package struct ContractCreation: Hashable, Sendable {
    package let factory: Address
    package let salt: Bytes32
    /// The constructor's arguments, in the ABI's encoding.
    package let arguments: [UInt8]

    package init(factory: Address, salt: Bytes32, arguments: [UInt8]) {
        (self.factory, self.salt, self.arguments) = (factory, salt, arguments)
    }

    /// Returns the address at which the factory makes a contract of this creation code.
    ///
    /// - Parameter bytecode: The creation code without arguments, as in ``Artifact/bytecode``.
    /// - Returns: The last 20 bytes of Keccak-256(0xff ‖ factory ‖ salt ‖ Keccak-256(bytecode ‖
    ///   arguments)).
    package func address(of bytecode: [UInt8]) -> Address {
        let code = Keccak256.hash(bytecode + arguments)
        let hash = Keccak256.hash([0xFF] + factory.bytes + salt.bytes + code.bytes)
        guard let address = Address(hash.bytes.suffix(Address.byteCount)) else {
            preconditionFailure("the last 20 of 32 bytes are an address")
        }
        return address
    }
}
