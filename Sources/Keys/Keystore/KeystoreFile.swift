import Crypto
import FoundationEssentials

/// The JSON of a keystore as it is written, with all values still text or numbers.
///
/// Source: "Web3 Secret Storage Definition", version 3.
struct KeystoreFile: Codable {
    struct Parameters: Codable {
        var dklen: Int
        var salt: String
        var n: Int?
        var r: Int?
        var p: Int?
        var c: Int?
        var prf: String?
    }

    struct CipherParameters: Codable {
        var iv: String
    }

    struct Sealed: Codable {
        var cipher: String
        var cipherparams: CipherParameters
        var ciphertext: String
        var kdf: String
        var kdfparams: Parameters
        var mac: String
    }

    /// Stoa's addition, which other wallets ignore.
    struct Extension: Codable {
        var checksum: String
    }

    static let bytesMax = 64 << 10

    var address: String?
    var crypto: Sealed
    /// Only a name; some programs omit it.
    var id: String?
    var version: Int
    var stoa: Extension?

    private enum Key: String, CodingKey {
        case address, crypto, id, version, stoa
        /// The spelling of ethers and the wallets built on it.
        case capitalCrypto = "Crypto"
    }

    init(address: String?, crypto: Sealed, id: String, version: Int) {
        (self.address, self.crypto, self.id, self.version) = (address, crypto, id, version)
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        address = try fields.decodeIfPresent(String.self, forKey: .address)
        let isCapital = !fields.contains(.crypto) && fields.contains(.capitalCrypto)
        crypto = try fields.decode(Sealed.self, forKey: isCapital ? .capitalCrypto : .crypto)
        id = try fields.decodeIfPresent(String.self, forKey: .id)
        version = try fields.decode(Int.self, forKey: .version)
        stoa = try fields.decodeIfPresent(Extension.self, forKey: .stoa)
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encodeIfPresent(address, forKey: .address)
        try fields.encode(crypto, forKey: .crypto)
        try fields.encodeIfPresent(id, forKey: .id)
        try fields.encode(version, forKey: .version)
        try fields.encodeIfPresent(stoa, forKey: .stoa)
    }

    /// Parses the text, and distinguishes a truncated file from one that never was a keystore.
    static func read(_ json: [UInt8]) throws(KeystoreError) -> KeystoreFile {
        guard json.count <= bytesMax else { throw .malformed(.text) }
        if let other = OtherWalletFile(json: json) { throw .otherWallet(other) }
        do {
            return try JSONDecoder().decode(KeystoreFile.self, from: Data(json))
        } catch DecodingError.dataCorrupted {
            throw endsEarly(json) ? .truncated : .malformed(.text)
        } catch DecodingError.keyNotFound(let key, _) {
            throw .malformed(field(key.stringValue))
        } catch DecodingError.typeMismatch(_, let context) {
            throw .malformed(field(context.codingPath.last?.stringValue ?? ""))
        } catch DecodingError.valueNotFound(_, let context) {
            throw .malformed(field(context.codingPath.last?.stringValue ?? ""))
        } catch {
            throw .malformed(.text)
        }
    }

    /// The SHA-256 of every value that opens the key, one per line in a fixed order.
    ///
    /// It distinguishes damage from a wrong password. It does not protect against someone who can
    /// write the file, because they can replace or remove the checksum.
    ///
    /// Source: Docs/protocol.md, section 2.5.
    var checksum: Bytes32 {
        let parameters = crypto.kdfparams
        func text(_ number: Int?) -> String { number.map { String($0) } ?? "" }
        let lines = [
            "stoa-keystore-1", String(version), (id ?? "").lowercased(),
            (address ?? "").lowercased(),
            crypto.cipher, crypto.cipherparams.iv.lowercased(), crypto.ciphertext.lowercased(),
            crypto.kdf, text(parameters.dklen), text(parameters.n), text(parameters.r),
            text(parameters.p), text(parameters.c), parameters.prf ?? "",
            parameters.salt.lowercased(), crypto.mac.lowercased(),
        ]
        let digest = SHA256.hash(data: Data(lines.joined(separator: "\n").utf8))
        return Bytes32(Array(digest)) ?? .zero
    }

    private static func field(_ key: String) -> KeystoreError.Field {
        switch key {
        case "Crypto": .crypto
        case "n", "c": .rounds
        case "cipherparams": .iv
        case "kdfparams": .kdf
        case "stoa": .checksum
        default: KeystoreError.Field(rawValue: key) ?? .text
        }
    }

    /// Whether the text ends inside an object or a string.
    private static func endsEarly(_ json: [UInt8]) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        var isBegun = false
        for byte in json {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, isBegun) = (depth + 1, true)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return json.isEmpty || (isBegun && (depth > 0 || isText))
    }
}
