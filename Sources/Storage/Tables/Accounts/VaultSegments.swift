package import Keys

/// The segments of accounts' vaults, sealed, by account, device and number.
package enum VaultSegments: Table {
    package typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, UInt64>
    package typealias Value = [UInt8]
    package static let name = "vault-segments"
}
