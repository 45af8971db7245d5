package import GossipProtocol
import Synchronization

/// Addresses from which no link is accepted, shared by the peer book and the listener.
package final class BannedAddresses: Sendable {
    private let groups = Mutex<Set<AddressGroup>>([])

    package init() {}

    package func set(_ banned: Set<AddressGroup>) { groups.withLock { $0 = banned } }

    /// Whether a socket from `address` is refused before its handshake.
    package func contains(_ address: IPAddress) -> Bool {
        groups.withLock { !$0.isEmpty && $0.contains(AddressGroup(address)) }
    }
}
