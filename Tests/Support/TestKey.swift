package import Keys

/// A private key that is the same on every run.
package func testKey(_ number: UInt8) -> PrivateKey {
    guard let key = PrivateKey(SecretBytes(copying: [UInt8](repeating: number, count: 32))) else {
        preconditionFailure("small numbers are keys, but not \(number)")
    }
    return key
}

/// A private key that is the same for the same name.
package func testKey(_ name: String) -> PrivateKey {
    guard let key = PrivateKey(SecretBytes(copying: Keccak256.hash(name.utf8).bytes)) else {
        preconditionFailure("a hash is a key but once in 2¹²⁸")
    }
    return key
}
