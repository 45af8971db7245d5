package import Keys

/// One block of a chain: its height and, because heights are reused in a reorganisation, its hash.
package struct BlockID: Hashable, Sendable {
    package let number: UInt64
    package let hash: Bytes32

    package init(number: UInt64, hash: Bytes32) {
        self.number = number
        self.hash = hash
    }
}
