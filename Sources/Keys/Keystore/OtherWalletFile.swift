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

extension OtherWalletFile: CustomStringConvertible {
    package var description: String {
        switch self {
        case .presale:
            "The file is a wallet of Ethereum's presale, not a keystore. Open it with a program "
                + "that accepts such wallets, such as 'geth wallet import', and import the "
                + "keystore that it makes."
        case .validatorKey:
            "The file is the key of a validator (EIP-2335), which cannot sign for an account. Import "
                + "the keystore or the private key of an account."
        case .sealedPhrase:
            "The file is a sealed recovery phrase, as phone wallets write it, not a key. Show the "
                + "phrase in that wallet, and recover the account with it; or export the private "
                + "key there, and import it."
        case .metaMaskVault:
            "The file is a vault of MetaMask, not a keystore. Show the recovery phrase in MetaMask, "
                + "and recover the account with it; or show the account's private key there, and "
                + "import it."
        case .oldKeystore:
            "The file is a keystore of version 1, but only version 3 is accepted. Open it with "
                + "'geth account update', which writes version 3, and import that file."
        case .list(let count):
            "The file is a list of \(count), not a keystore. A keystore begins with '{': copy one "
                + "from the list into a file of its own, without the brackets around it."
        }
    }
}
