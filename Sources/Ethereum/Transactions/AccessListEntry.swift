package import Keys

/// A contract and its storage slots that a transaction declares in advance for cheaper access.
///
/// Source: EIP-2930.
package struct AccessListEntry: Hashable, Sendable {
    package let address: Address
    package let storageKeys: [Bytes32]

    package init(address: Address, storageKeys: [Bytes32]) {
        (self.address, self.storageKeys) = (address, storageKeys)
    }

    var item: RLPItem {
        .list([.address(address), .list(storageKeys.map { .bytes($0.bytes) })])
    }
}
