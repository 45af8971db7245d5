import Ethereum
import Keys
import Market
import Texts

/// The JSON of a ``ClearSigningDescriptor``.
///
/// Source: ERC-7730, version 2.0.0; its schema is Tests/TutorialTests/erc7730-v2.schema.json.
struct ClearSigningDocument: Encodable {
    let schema = "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json"
    let context: Context
    let metadata: Metadata
    let display: Display

    init(context: Context, metadata: Metadata, formats: [String: Call]) {
        (self.context, self.metadata) = (context, metadata)
        display = Display(formats: formats)
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case context, metadata, display
    }

    /// Conditions on the data under which the texts may be used.
    struct Context: Encodable {
        struct Deployment: Encodable {
            let chainId: UInt64
            let address: String
        }

        struct Deployments: Encodable {
            let deployments: [Deployment]
        }

        struct Domain: Encodable {
            let name: String
            let version: String
        }

        struct Domains: Encodable {
            let domain: Domain
        }

        let id: String
        private(set) var contract: Deployments?
        private(set) var eip712: Domains?

        private enum CodingKeys: String, CodingKey {
            case id = "$id"
            case contract, eip712
        }

        static func contract(name: String, chain: UInt64, address: Address) -> Context {
            let deployment = Deployment(chainId: chain, address: address.checksummed)
            return Context(id: name, contract: Deployments(deployments: [deployment]))
        }

        static func typedData(domainName: String, version: String) -> Context {
            let domain = Domain(name: domainName, version: version)
            return Context(id: domainName, eip712: Domains(domain: domain))
        }
    }

    struct Metadata: Encodable {
        let owner = "Stoa"
        let contractName: String
        private(set) var constants: [String: String]?
        private(set) var enums: [String: [String: String]]?
    }

    struct Display: Encodable {
        let formats: [String: Call]
    }

    /// The display of one function, or of one type of typed data.
    struct Call: Encodable {
        let intent: String
        let fields: [Field]
    }

    struct Field: Encodable {
        let path: String
        let label: String
        let format: String
        let params: Parameters?
        /// Whether wallets must show it (`always`) or may (`optional`).
        let visible: String
    }

    /// The parameters of a format; each format has its own.
    struct Parameters: Encodable {
        private(set) var tokenPath: String?
        private(set) var nativeCurrencyAddress: String?
        private(set) var encoding: String?
        private(set) var base: String?
        private(set) var decimals: Int?
        private(set) var collection: String?
        private(set) var reference: String?

        private enum CodingKeys: String, CodingKey {
            case tokenPath, nativeCurrencyAddress, encoding, base, decimals, collection
            case reference = "$ref"
        }
    }
}

extension ClearSigningDocument.Call {
    /// Describes a function: first the arguments that must be shown, then all others.
    ///
    /// - Parameters:
    ///   - call: Its words.
    ///   - function: The function.
    ///   - fields: How each argument is shown; one without words keeps its name.
    init(_ call: ClearSigningCall, of function: ABIFunction, _ fields: [ClearSigningField]) {
        let words = Dictionary((fields + call.fields).map { ($0.path, $0) }) { _, last in last }
        let others = function.paths.filter { !call.shown.contains($0) }
        func field(_ path: String, visible: String) -> ClearSigningDocument.Field {
            let field = words[path] ?? ClearSigningField(path, path, .plain)
            return ClearSigningDocument.Field(field, visible: visible)
        }
        intent = SentencePatterns.english.text(call.intent)
        self.fields =
            call.shown.map { field($0, visible: "always") }
            + others.map { field($0, visible: "optional") }
    }

    /// A record; its summary describes its effect in words, and every node compares the two.
    static let record = ClearSigningDocument.Call(
        intent: "Sign a Stoa record",
        fields: [
            .init("summary", "What it says", .plain),
            .init("kind", "Kind", "enum", .init(reference: "$.metadata.enums.kind")),
            .init("author", "Author", .address),
            .init("network", "Network", .plain),
            .init("createdAt", "Milliseconds since 1970", .plain, visible: "optional"),
            .init("slot", "Slot", .plain, visible: "optional"),
            .init("payloadHash", "Hash of the content", .plain, visible: "optional"),
        ]
    )
}

extension ClearSigningDocument.Call {
    /// The statement with which an account that signs elsewhere is added to a node.
    static let account = ClearSigningDocument.Call(
        intent: "Let a Stoa node ask for signatures",
        fields: [
            .init("summary", "What it says", .plain),
            .init("node", "Node", .plain),
            .init("account", "Account", .address),
            .init("name", "Its name there", .plain),
            .init("validUntil", "Valid until", .date),
            .init("network", "Network", .plain),
        ]
    )
}

extension ClearSigningDocument.Field {
    fileprivate init(_ field: ClearSigningField, visible: String) {
        let label = SentencePatterns.english.text(field.label)
        self.init(field.path, label, field.format, visible: visible)
    }

    fileprivate init(
        _ path: String,
        _ label: String,
        _ format: ClearSigningField.Format,
        visible: String = "always"
    ) {
        (self.path, self.label, self.visible) = (path, label, visible)
        (self.format, params) = format.names
    }

    fileprivate init(
        _ path: String,
        _ label: String,
        _ format: String,
        _ params: ClearSigningDocument.Parameters
    ) {
        (self.path, self.label, self.visible) = (path, label, "always")
        (self.format, self.params) = (format, params)
    }
}

extension ClearSigningField.Format {
    /// The standard's name of the format, with its parameters.
    fileprivate var names: (String, ClearSigningDocument.Parameters?) {
        switch self {
        case .address: ("addressName", nil)
        case .amount(let currency):
            (
                "tokenAmount",
                .init(
                    tokenPath: currency,
                    nativeCurrencyAddress: Currency.native.address.checksummed
                )
            )
        case .native: ("amount", nil)
        case .date: ("date", .init(encoding: "timestamp"))
        case .duration: ("duration", nil)
        case .share: ("unit", .init(base: "%", decimals: 2))
        case .item: ("nftName", .init(collection: "$.metadata.constants.item"))
        case .plain: ("raw", nil)
        }
    }
}
