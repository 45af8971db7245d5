package import BigInt
package import Keys

/// The domain of a signature, outside which it is invalid.
///
/// Source: EIP-712, "Definition of domainSeparator".
package struct TypedDataDomain: Equatable, Sendable {
    static let typeName = "EIP712Domain"

    /// All members that a domain may have, in the standard's order.
    static let knownFields = [
        TypedField("name", "string"),
        TypedField("version", "string"),
        TypedField("chainId", "uint256"),
        TypedField("verifyingContract", "address"),
        TypedField("salt", "bytes32"),
    ]

    package var name: String?
    package var version: String?
    package var chainID: BigUInt?
    package var verifyingContract: Address?
    package var salt: Bytes32?

    package init(
        name: String? = nil,
        version: String? = nil,
        chainID: BigUInt? = nil,
        verifyingContract: Address? = nil,
        salt: Bytes32? = nil
    ) {
        (self.name, self.version, self.chainID) = (name, version, chainID)
        (self.verifyingContract, self.salt) = (verifyingContract, salt)
    }

    /// The members that are present, by name.
    var members: [String: TypedValue] {
        var members: [String: TypedValue] = [:]
        members["name"] = name.map(TypedValue.string)
        members["version"] = version.map(TypedValue.string)
        members["chainId"] = chainID.map { .integer(BigInt($0)) }
        members["verifyingContract"] = verifyingContract.map(TypedValue.address)
        members["salt"] = salt.map { .bytes($0.bytes) }
        return members
    }

    /// Returns the hash of the present members; compute it once for a fixed domain.
    ///
    /// - Throws: ``TypedDataError/outOfRange(path:type:)`` for a chain id beyond 256 bits.
    package func separator() throws(TypedDataError) -> Bytes32 {
        let members = members
        let fields = Self.knownFields.filter { members[$0.name] != nil }
        let schema = try TypedDataSchema([Self.typeName: fields])
        return try schema.hash(.structure(members), as: Self.typeName, path: "domain")
    }
}
