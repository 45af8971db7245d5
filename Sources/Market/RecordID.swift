package import Keys

/// The id of a signed record: the EIP-712 digest that its author signed.
///
/// Source: Docs/protocol.md, section "Signed record".
package struct RecordID: Hashable, Comparable, Sendable {
    package let digest: Bytes32

    package init(_ digest: Bytes32) {
        self.digest = digest
    }

    package static func < (left: RecordID, right: RecordID) -> Bool { left.digest < right.digest }
}

extension RecordID: CustomStringConvertible {
    package var description: String { digest.hex }
}
