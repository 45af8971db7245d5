/// The name of a stream of messages that peers subscribe to.
///
/// Compared by its bytes: two spellings of one text are two topics. To compare them as text would
/// take time that grows with the square of a run of combining marks.
///
/// Source: Docs/protocol.md, section "Gossip": `/stoa/<network>/<chain id>`.
package struct Topic: Hashable, Comparable, Sendable {
    /// The name in UTF-8.
    package let bytes: [UInt8]

    package init(_ name: String) {
        bytes = Array(name.utf8)
    }

    package var name: String { String(decoding: bytes, as: UTF8.self) }

    package static func < (left: Topic, right: Topic) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
