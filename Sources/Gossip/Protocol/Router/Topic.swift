/// The name of a stream of messages that peers subscribe to.
///
/// Source: Docs/protocol.md, section "Gossip": `/stoa/<network>/<chain id>`.
package struct Topic: Hashable, Comparable, Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    package static func < (left: Topic, right: Topic) -> Bool { left.name < right.name }
}
