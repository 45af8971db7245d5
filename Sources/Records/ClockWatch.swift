import Answers
import Client
package import Concurrency
package import Gossip
import GossipProtocol
import Synchronization

/// Compares the wall clock with the times of the node's chains and of linked peers.
package final class ClockWatch: Sendable {
    private let clock: any WallClock
    private let chains: @Sendable (Int64) -> [ClockComparison.ChainReading]
    private let peers = Mutex<@Sendable () async -> [PeerStatus]>({ [] })

    /// - Parameters:
    ///   - clock: The wall clock.
    ///   - chains: Compares the chains' times with one of the wall clock, in seconds of Unix time;
    ///     without any, and without peers, every clock is believed.
    package init(
        clock: any WallClock = .system,
        chains: @escaping @Sendable (Int64) -> [ClockComparison.ChainReading] = { _ in [] }
    ) {
        (self.clock, self.chains) = (clock, chains)
    }

    /// Sets the source of the linked peers.
    package func ask(_ peers: @escaping @Sendable () async -> [PeerStatus]) {
        self.peers.withLock { $0 = peers }
    }

    package func comparison() async -> ClockComparison {
        let linked = await peers.withLock { $0 }()
        let now = clock.unixSeconds
        return ClockComparison(
            chains: chains(now),
            peers: linked.compactMap { peer in
                peer.time.map { time in
                    ClockComparison.PeerReading(
                        lead: .seconds(time - now),
                        subnet: AddressGroup(of: peer.link.address)?.subnet
                    )
                }
            }
        )
    }

    /// Refuses to publish while others would not accept the time of a new record.
    ///
    /// - Throws: ``Refusal`` with `clock_wrong`.
    package func requireUsable() async throws {
        let comparison = await comparison()
        guard comparison.isUnusable else { return }
        throw Refusal(.clockWrong, comparison.warnings, retryAfter: .seconds(30))
    }
}
