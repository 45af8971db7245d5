/// Hashes one struct of typed data, member by member in the type's order.
///
/// For types that are fixed in code: the type hash is computed once, no member is looked up by
/// name, and none is copied.
///
/// Source: EIP-712, "Definition of hashStruct" and "Definition of encodeData".
package struct StructHasher: Sendable {
    private var hasher = Keccak256()

    /// Begins a struct whose `encodeType` has this hash.
    package init(typeHash: Bytes32) {
        hasher.update(typeHash)
    }

    /// Adds a `bytes32`, the hash of a nested struct, or any other whole word.
    package mutating func add(_ word: Bytes32) { hasher.update(word) }

    /// Adds a `uint8` … `uint64`.
    package mutating func add(_ number: UInt64) {
        hasher.update(Bytes32(words: 0, 0, 0, number))
    }

    package mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

    package mutating func add(_ address: Address) { hasher.update(address.word) }

    /// Adds a `string`.
    package mutating func add(_ text: String) { add(Keccak256.hash(text.utf8)) }

    /// Adds a `bytes`.
    package mutating func add(hashing bytes: some Collection<UInt8>) { add(Keccak256.hash(bytes)) }

    /// Returns the struct's hash.
    package consuming func finalize() -> Bytes32 { hasher.finalize() }

    /// Returns the hash to sign of a struct in a domain.
    package static func digest(domainSeparator: Bytes32, structHash: Bytes32) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update(CollectionOfOne(0x19))
        hasher.update(CollectionOfOne(0x01))
        hasher.update(domainSeparator)
        hasher.update(structHash)
        return hasher.finalize()
    }
}
