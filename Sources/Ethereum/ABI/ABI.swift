package import Keys

/// The contract ABI: the encoding of calls, results, logs and errors.
///
/// Decoding is strict and accepts only the encoding that compilers write: tails in order without
/// gap or overlap, every word in its type's range, all padding zero, no bytes left over. So a
/// decoded value encodes to the same bytes, and takes at most a small multiple of their memory.
///
/// Source: Solidity documentation 0.8, "Contract ABI Specification".
package enum ABI {
    /// Encodes values as arguments: `enc` of their tuple.
    package static func encode(
        _ values: [ABIValue],
        as types: [ABIType]
    ) throws(ABIError) -> [UInt8] {
        try encode(values, as: types, after: [])
    }

    /// Decodes the values that take all of `bytes` from `start` on.
    package static func decode(
        _ bytes: [UInt8],
        from start: Int = 0,
        as types: [ABIType]
    ) throws(ABIError) -> [ABIValue] {
        guard bytes.count <= ABILimits.bytesMax else {
            throw .tooLong(maximum: ABILimits.bytesMax)
        }
        var decoder = ABIDecoder(bytes: bytes)
        return try decoder.decodeAll(types, from: start)
    }

    /// Returns the topic of an indexed argument: the value if it is one word, else its hash.
    ///
    /// Source: the specification's section "Encoding of Indexed Event Parameters".
    package static func topic(
        of value: ABIValue,
        as type: ABIType
    ) throws(ABIError) -> Bytes32 {
        var encoder = ABIEncoder()
        try encoder.writeInPlace(value, as: type, isOutermost: true)
        if type.isElementary, let word = Bytes32(encoder.output) { return word }
        return Keccak256.hash(encoder.output)
    }

    static func encode(
        _ values: [ABIValue],
        as types: [ABIType],
        after prefix: [UInt8]
    ) throws(ABIError) -> [UInt8] {
        var encoder = ABIEncoder()
        encoder.append(prefix)
        try encoder.writeTuple(values, as: types)
        return encoder.output
    }
}
