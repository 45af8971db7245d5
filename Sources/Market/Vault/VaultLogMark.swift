package import Keys

/// How much of a device's log in a vault a node has.
package struct VaultLogMark: Hashable, Sendable {
    package let device: Bytes32
    /// The number of the last segment.
    package let last: UInt64

    package init(device: Bytes32, last: UInt64) {
        (self.device, self.last) = (device, last)
    }
}
