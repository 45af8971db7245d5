import FoundationEssentials

/// A file with keys that is not a keystore of version 3.
package enum OtherWalletFile: Equatable, Sendable {
    /// A wallet of Ethereum's presale in 2014, before the chain existed.
    case presale
    /// A keystore of version 4: the key of a validator.
    ///
    /// Source: EIP-2335.
    case validatorKey
    /// A recovery phrase, or another secret that is longer than a key, in the form of a keystore.
    case sealedPhrase
    /// The phrases and keys of MetaMask, as the browser keeps them.
    case metaMaskVault
    /// A keystore of version 1, from 2014 and 2015.
    case oldKeystore
    /// A list of this many values.
    case list(Int)

    /// Recognises a file by the names in it, in any case; `nil` for all others.
    init?(json: [UInt8]) {
        let (data, decoder) = (Data(json), JSONDecoder())
        if let list = try? decoder.decode([Value].self, from: data) {
            self = .list(list.count)
            return
        }
        guard let file = try? decoder.decode(Members.self, from: data) else { return nil }
        if file.names.contains("encseed") {
            self = .presale
        } else if file.names.isSuperset(of: ["data", "iv", "salt"]), !file.names.contains("crypto")
        {
            self = .metaMaskVault
        } else if file.sealed.isSuperset(of: ["checksum", "cipher", "kdf"]) {
            self = .validatorKey
        } else if file.sealed.contains("keyheader") {
            self = .oldKeystore
        } else if file.version != 3, !file.names.isDisjoint(with: ["encmnemonic", "imtokenmeta"]) {
            self = .sealedPhrase
        } else {
            return nil
        }
    }

    /// Any value.
    private struct Value: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// The names in a file and in its sealed part, in lower case.
    private struct Members: Decodable {
        let names: Set<String>
        let sealed: Set<String>
        let version: Int?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Name.self)
            names = Set(fields.allKeys.map { $0.stringValue.lowercased() })
            let part = fields.allKeys.first { $0.stringValue.lowercased() == "crypto" }
            let inner = part.flatMap { try? fields.nestedContainer(keyedBy: Name.self, forKey: $0) }
            sealed = Set(inner?.allKeys.map { $0.stringValue.lowercased() } ?? [])
            version = try? fields.decodeIfPresent(Int.self, forKey: Name(stringValue: "version"))
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
