package import Keys

/// The id of a block: its height, and its hash, because a reorganisation reuses heights.
package struct BlockID: Hashable, Sendable {
    package let number: UInt64
    package let hash: Bytes32

    package init(number: UInt64, hash: Bytes32) {
        self.number = number
        self.hash = hash
    }
}
