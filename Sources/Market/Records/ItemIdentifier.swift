package import Keys

/// An identifier of one item, such as a frame number, VIN or IMEI, in its normal form.
///
/// The normal form has small Latin letters and digits. It is used wherever identifiers are entered,
/// searched and compared. For a digital work it is the SHA-256 of the unencrypted file in
/// hexadecimal digits.
package struct ItemIdentifier: Hashable, Sendable {
    package static let byteCountMax = 64

    package let text: String

    /// Normalises typed or scanned text: converts to lower case, and removes everything else.
    ///
    /// - Throws: ``RuleFault/malformed(_:)`` for letters and digits of other scripts; removing them
    ///   would make different items look the same.
    package init(normalising text: String) throws(RuleFault) {
        var normal: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard scalar.isASCII else {
                guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
                    throw .malformed(.identifier)
                }
                continue
            }
            switch UInt8(scalar.value) {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): normal.append(UInt8(scalar.value) + 32)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                normal.append(UInt8(scalar.value))
            default: continue
            }
        }
        try self.init(normal: String(decoding: normal, as: UTF8.self))
    }

    /// Takes a text that is already in the normal form.
    package init(normal text: String) throws(RuleFault) {
        guard !text.isEmpty else { throw .missing(.identifier) }
        guard text.utf8.count <= Self.byteCountMax else {
            throw .tooLong(.identifier, byteCountMax: Self.byteCountMax)
        }
        let isNormal = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isNormal else { throw .malformed(.identifier) }
        self.text = text
    }

    /// Creates the identifier of a digital work.
    ///
    /// - Parameter hash: SHA-256 of the unencrypted file.
    package init(fileHash hash: Bytes32) {
        text = hash.digits
    }

    /// Computes the content hash of the item's token: Keccak-256 of its maker's 20 bytes and the
    /// normal form.
    ///
    /// The hash includes the maker, so a token that somebody else mints with a hash seen in an
    /// unmined transaction is not a token of this identifier.
    ///
    /// - Parameter maker: The token's maker.
    /// - Returns: The hash.
    package func contentHash(madeBy maker: Address) -> Bytes32 {
        Keccak256.hash(maker.bytes + Array(text.utf8))
    }
}

extension ItemIdentifier: CustomStringConvertible {
    package var description: String { text }
}
