package import Keys

/// A private key that is the same on every run.
package func testKey(_ number: UInt8) -> PrivateKey {
    guard let key = PrivateKey(SecretBytes(copying: [UInt8](repeating: number, count: 32))) else {
        preconditionFailure("small numbers are keys, but not \(number)")
    }
    return key
}
