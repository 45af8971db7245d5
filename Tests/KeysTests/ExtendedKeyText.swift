import BigInt
import Crypto
import Keys
import Testing

/// The text form of an extended private key (`xprv`), as published vectors give it.
///
/// Source: BIP-32, "Serialization format".
struct ExtendedKeyText {
    private let chainCode: [UInt8]
    private let secret: [UInt8]

    init(_ text: String) throws {
        let digits = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
        let number = try text.reduce(BigUInt(0)) { number, character in
            number * 58 + BigUInt(try #require(digits.firstIndex(of: character)))
        }
        let bytes = Array(number.serialize())
        try #require(bytes.count == 82)
        let checksum = SHA256.hash(data: Array(SHA256.hash(data: bytes[..<78])))
        try #require(Array(checksum.prefix(4)) == Array(bytes[78...]))
        (chainCode, secret) = (Array(bytes[13..<45]), Array(bytes[46..<78]))
    }

    func matches(_ key: HDKey) -> Bool {
        unsafe key.privateKey.withBytes { unsafe Array($0) } == secret
            && key.chainCode.withBytes { unsafe Array($0) } == chainCode
    }
}
