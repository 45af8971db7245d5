import Foundation

/// Typed data of Stoa in the JSON that wallets sign with `eth_signTypedData_v4`.
///
/// Source: EIP-712, "Specification of the eth_signTypedData JSON RPC".
struct WalletTypedData<Message: Encodable>: Encodable {
    struct Member: Encodable {
        let name: String
        let type: String
    }

    struct Domain: Encodable {
        let name = RecordDigest.domainName
        let version = RecordDigest.domainVersion
    }

    let types: [String: [Member]]
    let primaryType: String
    let domain = Domain()
    let message: Message

    /// - Parameters:
    ///   - type: The result of `encodeType` for the message; it has no structs as members.
    ///   - message: The members by their names.
    init(type: String, _ message: Message) {
        primaryType = String(type.prefix { $0 != "(" })
        types = [
            "EIP712Domain": [
                Member(name: "name", type: "string"), Member(name: "version", type: "string"),
            ],
            primaryType: Self.members(of: type),
        ]
        self.message = message
    }

    /// The text for the wallet; the same message always gives the same bytes.
    var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(self)
        } catch {
            preconditionFailure("texts and whole numbers can be encoded: \(error)")
        }
    }

    private static func members(of type: String) -> [Member] {
        type.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ",").compactMap { part in
            let words = part.split(separator: " ")
            guard let type = words.first, let name = words.last else { return nil }
            return Member(name: String(name), type: String(type))
        }
    }
}
