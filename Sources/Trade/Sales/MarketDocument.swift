import Contracts
import Keys
import Market

/// The text of a deployment file, with its addresses and bytes as texts.
struct MarketDocument: Codable {
    /// The impossible part of the text, in words.
    struct Fault: Error {
        let reason: String
    }

    struct Location: Codable {
        let address: String
        let firstBlock: UInt64
        let creation: Creation
    }

    /// The inputs of the address, together with the program's own creation code.
    struct Creation: Codable {
        let factory: String
        let salt: String
        let arguments: String
    }

    struct Fees: Codable {
        let platform: String
        let platformBasisPoints: UInt64
        let makerBasisPoints: UInt64
    }

    struct Contract {
        let kind: String
        let address: String
        /// The rest, which is read only if the kind is known.
        let details: Result<Details, any Error>
    }

    struct Details: Codable {
        let firstBlock: UInt64
        let creation: Creation
        let fees: Fees
        let tokens: [String]
    }

    struct Token: Codable {
        let address: String
        let name: String?
        let symbol: String?
        let decimals: UInt8?
    }

    struct Native: Codable {
        let name: String?
        let symbol: String
        let decimals: UInt64?
    }

    /// An account that is offered to sellers as an arbiter.
    struct Arbiter: Codable {
        let account: String
        let name: String?
    }

    let form: Int
    let chain: UInt64
    let item: Location
    let contracts: [Contract]
    let tokens: [Token]
    /// The chain's native currency; a file without it calls it as usual on that chain.
    let native: Native?
    /// Files without arbiters leave it out.
    let arbiters: [Arbiter]?
}

extension MarketDocument.Contract: Codable {
    private enum Key: String, CodingKey { case kind, address }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        kind = try container.decode(String.self, forKey: .kind)
        address = try container.decode(String.self, forKey: .address)
        details = Result { try MarketDocument.Details(from: decoder) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(address, forKey: .address)
        try details.get().encode(to: encoder)
    }
}

// From text

extension MarketDocument {
    /// Returns the market, with the contracts of unknown kinds by their addresses alone.
    ///
    /// - Throws: ``Fault``, or the `DecodingError` of a contract's details.
    func market(_ kinds: SaleKinds) throws -> DeployedMarket {
        var known: [DeployedMarket.Contract] = []
        var unknown: [Address: SaleKind] = [:]
        for contract in contracts {
            let kind = SaleKind(rawValue: contract.kind)
            guard kinds.contains(kind) else {
                unknown[try Self.address(contract.address, "contracts.address")] = kind
                continue
            }
            known.append(try contract.contract(of: kind))
        }
        return DeployedMarket(
            chain: ChainID(chain),
            item: try item.location("item"),
            contracts: known,
            unknown: unknown,
            tokens: try tokens.map {
                DeployedMarket.Token(
                    address: try Self.address($0.address, "tokens.address"),
                    name: $0.name,
                    symbol: $0.symbol,
                    decimals: $0.decimals
                )
            },
            native: try native?.description(),
            arbiters: try namedArbiters()
        )
    }

    /// The maximum number of arbiters that a file names, and of bytes in one's name.
    private static let (arbitersMax, nameBytesMax) = (16, 64)

    private func namedArbiters() throws -> [DeployedMarket.Arbiter] {
        let named = arbiters ?? []
        guard named.count <= Self.arbitersMax else {
            throw Fault(reason: "'arbiters' has more than \(Self.arbitersMax) entries")
        }
        return try named.map { arbiter in
            if let name = arbiter.name {
                guard PlainText.isLine(name, byteCountMax: Self.nameBytesMax) else {
                    throw Fault(
                        reason: "'arbiters.name' is one line of at most \(Self.nameBytesMax) bytes"
                    )
                }
            }
            return DeployedMarket.Arbiter(
                account: try Self.address(arbiter.account, "arbiters.account"),
                name: arbiter.name
            )
        }
    }

    fileprivate static func address(_ text: String, _ field: String) throws -> Address {
        guard let address = try? Address(text: text), address != .zero else {
            throw Fault(reason: "'\(field)' is not an address: '\(text)'")
        }
        return address
    }
}

extension MarketDocument.Location {
    fileprivate func location(_ field: String) throws -> DeployedMarket.Location {
        DeployedMarket.Location(
            address: try MarketDocument.address(address, "\(field).address"),
            firstBlock: firstBlock,
            creation: try creation.creation(field)
        )
    }
}

extension MarketDocument.Native {
    fileprivate func description() throws -> CurrencyDescription {
        guard CurrencyRules.isSymbol(symbol) else {
            throw MarketDocument.Fault(
                reason:
                    "'native.symbol' has 1 to \(CurrencyRules.symbolBytesMax) letters and digits"
            )
        }
        guard decimals ?? 18 == CurrencyRules.nativeDecimals else {
            throw MarketDocument.Fault(
                reason: "'native.decimals' is 18 on every chain that Stoa works on"
            )
        }
        return CurrencyDescription(name: name, symbol: symbol, decimals: decimals)
    }
}

extension MarketDocument.Creation {
    fileprivate func creation(_ field: String) throws -> ContractCreation {
        guard let salt = Bytes32(hex: salt), let arguments = Hex.decode(arguments) else {
            throw MarketDocument.Fault(reason: "'\(field).creation' has no salt and arguments")
        }
        return ContractCreation(
            factory: try MarketDocument.address(factory, "\(field).creation.factory"),
            salt: salt,
            arguments: arguments
        )
    }
}

extension MarketDocument.Contract {
    fileprivate func contract(of kind: SaleKind) throws -> DeployedMarket.Contract {
        let details = try details.get()
        let platform = try MarketDocument.address(details.fees.platform, "contracts.fees.platform")
        guard
            let fees = MarketFees(
                platformBasisPoints: details.fees.platformBasisPoints,
                makerBasisPoints: details.fees.makerBasisPoints,
                platform: platform
            )
        else { throw MarketDocument.Fault(reason: "a fee is above what the contracts allow") }
        let location = MarketDocument.Location(
            address: address,
            firstBlock: details.firstBlock,
            creation: details.creation
        )
        return DeployedMarket.Contract(
            kind: kind,
            location: try location.location("contracts"),
            fees: fees,
            tokens: try details.tokens.map { try MarketDocument.address($0, "contracts.tokens") }
        )
    }
}

// To text

extension MarketDocument {
    /// The contracts of unknown kinds are left out.
    init(_ market: DeployedMarket, form: Int) {
        self.form = form
        chain = market.chain.number
        item = Location(market.item)
        contracts = market.contracts.map { contract in
            Contract(
                kind: contract.kind.rawValue,
                address: contract.address.checksummed,
                details: .success(
                    Details(
                        firstBlock: contract.location.firstBlock,
                        creation: Creation(contract.location.creation),
                        fees: Fees(
                            platform: contract.fees.platform.checksummed,
                            platformBasisPoints: contract.fees.platformBasisPoints,
                            makerBasisPoints: contract.fees.makerBasisPoints
                        ),
                        tokens: contract.tokens.map(\.checksummed)
                    )
                )
            )
        }
        tokens = market.tokens.map {
            Token(
                address: $0.address.checksummed,
                name: $0.name,
                symbol: $0.symbol,
                decimals: $0.decimals
            )
        }
        native = market.native.flatMap { native in
            native.symbol.map {
                Native(name: native.name, symbol: $0, decimals: native.decimals)
            }
        }
        arbiters =
            market.arbiters.isEmpty
            ? nil : market.arbiters.map { Arbiter(account: $0.account.checksummed, name: $0.name) }
    }
}

extension MarketDocument.Location {
    fileprivate init(_ location: DeployedMarket.Location) {
        address = location.address.checksummed
        firstBlock = location.firstBlock
        creation = MarketDocument.Creation(location.creation)
    }
}

extension MarketDocument.Creation {
    fileprivate init(_ creation: ContractCreation) {
        factory = creation.factory.checksummed
        salt = creation.salt.hex
        arguments = "0x" + Hex.encode(creation.arguments)
    }
}
