package import Keys

/// One contract and its slots that a transaction names beforehand, to pay less for touching them.
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
