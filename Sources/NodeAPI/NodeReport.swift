import Answers
package import Client
package import Foundation
package import Gossip
package import GossipProtocol
package import Keys
import Mail
import Market
import Metrics
package import Records
import Setup
package import Storage

/// A node's report about itself, for people and programs.
package struct NodeReport: Sendable {
    let network: String
    let listenAddresses: [String]
    let links: any PeerLinks
    let gossip: GossipService
    let topics: [Topic]
    let store: Store
    let reportsAccount: Address?
    let clockWatch: ClockWatch
    let chains: @Sendable () async -> [ChainStatus]

    package init(
        network: String,
        listenAddresses: [String],
        links: any PeerLinks,
        gossip: GossipService,
        topics: [Topic],
        store: Store,
        reportsAccount: Address?,
        clockWatch: ClockWatch,
        chains: @escaping @Sendable () async -> [ChainStatus]
    ) {
        (self.network, self.listenAddresses, self.links) = (network, listenAddresses, links)
        (self.gossip, self.topics, self.store) = (gossip, topics, store)
        (self.reportsAccount, self.clockWatch) = (reportsAccount, clockWatch)
        self.chains = chains
    }

    func status() async throws -> NodeStatus {
        NodeStatus(
            version: Version.text,
            network: network,
            peer: PeerIDText.text(of: links.localPeer),
            listenAddresses: listenAddresses,
            peers: await links.links().count,
            records: try store.read { try $0.recordCount() },
            chains: await chains(),
            reportsTo: reportsAccount?.checksummed,
            clock: NodeClock(await clockWatch.comparison()),
            storeWarning: try store.room().warning
        )
    }

    /// Returns the reasons why a node that answers is still not ready; empty if all is well.
    package func obstacles() async -> [String] {
        let chains = await chains().filter { $0.health != "ready" }
            .map { $0.detail ?? "Chain \($0.chain) is not followed: \($0.health)." }
        let clock = await clockWatch.comparison().warnings.map(\.detail)
        // A store that cannot be read is reported to every caller.
        let room = [(try? store.room())?.warning?.detail].compactMap(\.self)
        return chains + clock + room + Self.obstacles(in: links.audit) + crowding()
    }

    /// Returns why bytes that peers have sent block those that they send next.
    static func obstacles(in audit: NodeBudget.Audit) -> [String] {
        var obstacles: [String] = []
        if !audit.isBalanced {
            obstacles.append(
                "The node counts \(audit.unread) bytes that wait for it and "
                    + "\(audit.outgoing) for its peers, but \(audit.unreadOfLinks) and "
                    + "\(audit.outgoingOfLinks) over its \(audit.links) links "
                    + "(\(audit.faults) faults). Restart the node and report this."
            )
        }
        if audit.isExhausted {
            obstacles.append(
                "\(audit.unread) bytes that peers sent are waiting, as many as this node allows. "
                    + "It accepts no new bytes until it has processed them."
            )
        }
        return obstacles
    }

    /// Returns a warning if accounts whose mail is kept here leave others no room.
    private func crowding() -> [String] {
        // A store that cannot be read is reported to every caller.
        guard let kept = try? store.read({ try $0.keptOpenBytes() }),
            kept >= UInt64(store.limits.openLaneBytesMax)
        else { return [] }
        return [
            "Accounts whose mail is kept here take \(kept >> 20) MiB of the open lane, which has "
                + "\(store.limits.openLaneBytesMax >> 20): raise store.openMebibytes, and "
                + "store.mapGibibytes if the lane takes a 32nd part of it."
        ]
    }

    /// Updates the gauges that nothing else keeps up to date.
    package func measure(at now: Date) async {
        Gauge(label: "stoa_build_info", dimensions: [("version", Version.text)]).record(1)
        Gauge(label: "stoa_peers").record(await links.links().count)
        // A store that cannot be read is reported to every caller; the last value stays here.
        if let room = try? store.room() {
            Gauge(label: "stoa_store_bytes").record(room.fileBytes)
            Gauge(label: "stoa_store_used_bytes").record(room.usedBytes)
            Gauge(label: "stoa_store_free_bytes").record(room.freeBytes)
            Gauge(label: "stoa_store_full").record(room.isFull ? 1 : 0)
        }
        let audit = links.audit
        Gauge(label: "stoa_link_unread_bytes").record(audit.unread)
        Gauge(label: "stoa_link_unread_bytes_of_links").record(audit.unreadOfLinks)
        Gauge(label: "stoa_link_outgoing_bytes").record(audit.outgoing)
        Gauge(label: "stoa_link_outgoing_bytes_of_links").record(audit.outgoingOfLinks)
        Gauge(label: "stoa_link_window_bytes").record(audit.grown)
        // A store that cannot be read is reported to every caller; the last value stays here.
        if let records = try? store.read({ try $0.recordCount() }) {
            Gauge(label: "stoa_records").record(records)
        }
        let lanes = try? store.read { transaction in
            [
                (
                    "anchored", try transaction.recordCount(in: .anchored),
                    try transaction.anchoredLaneBytes()
                ),
                ("open", try transaction.recordCount(in: .open), try transaction.openLaneBytes()),
            ]
        }
        for (lane, records, bytes) in lanes ?? [] {
            let labels = [("lane", lane)]
            Gauge(label: "stoa_lane_records", dimensions: labels).record(records)
            Gauge(label: "stoa_lane_bytes", dimensions: labels).record(bytes)
        }
        try? RecordMeters.show(store)  // As above.
        measureMail()
        for chain in await chains() {
            let labels = [("chain", "\(chain.chain)")]
            Gauge(label: "stoa_chain_ready", dimensions: labels)
                .record(chain.health == "ready" ? 1 : 0)
            if let head = chain.head, let time = chain.headTime {
                Gauge(label: "stoa_chain_head_block", dimensions: labels).record(head)
                Gauge(label: "stoa_chain_head_age_seconds", dimensions: labels)
                    .record(max(0, now.timeIntervalSince(time)))
            }
        }
    }

    private func measureMail() {
        // As above: what cannot be read keeps its last value.
        guard
            let (loads, leases, vaults) = try? store.read({ transaction in
                (
                    try transaction.mailLoads(), try transaction.homedCount(),
                    try transaction.guestVaultByteCount()
                )
            })
        else { return }
        Gauge(label: "stoa_mail_leases").record(leases)
        Gauge(label: "stoa_vault_bytes").record(vaults)
        Gauge(label: "stoa_vault_room_bytes").record(store.limits.guestVaultsBytesMax)
        for (source, load) in [("contact", loads.contacts), ("stranger", loads.strangers)] {
            let labels = [("source", source)]
            Gauge(label: "stoa_mail_envelopes", dimensions: labels).record(load.envelopes)
            Gauge(label: "stoa_mail_bytes", dimensions: labels).record(load.bytes)
        }
    }

    func peers() async -> [Peer] {
        var found: [Peer] = []
        for peer in await gossip.peers() {
            found.append(
                Peer(
                    id: PeerIDText.text(of: peer.link.peer),
                    addresses: [peer.link.address.description],
                    isConnected: true,
                    direction: peer.link.direction.rawValue,
                    agent: peer.agentVersion.map { UntrustedText.line($0) },
                    missing: missing(at: peer.exchanges)
                )
            )
        }
        return found.sorted { $0.id < $1.id }
    }

    /// Returns how many ids a peer had, on all topics, that this node lacked when it last asked.
    private func missing(at peer: [Topic: ExchangeStatus]) -> Int? {
        let ended = topics.compactMap { peer[$0] }.filter { $0.endedAt != nil }
        return ended.isEmpty ? nil : ended.reduce(0) { $0 + $1.counts.missing }
    }

    /// Links to a peer, and returns its details.
    ///
    /// - Throws: ``Refusal`` with `peer_unreachable`.
    func link(to address: Multiaddr) async throws -> Peer {
        await gossip.add(address)
        do {
            let peer = try await links.dial(address)
            let name = PeerIDText.text(of: peer)
            if let known = await peers().first(where: { $0.id == name }) { return known }
            return Peer(
                id: name,
                addresses: [address.description],
                isConnected: true,
                direction: "outbound",
                agent: nil,
                missing: nil
            )
        } catch {
            let reason =
                (error as? LinkError)?.reason ?? Sentence("link.ended", ["reason": "\(error)"])
            throw Refusal(
                .peerUnreachable,
                Sentence("refusal.peerUnreachable", ["address": "\(address)"]),
                reason,
                field: "address"
            )
        }
    }
}

extension NodeClock {
    init(_ comparison: ClockComparison) {
        self.init(
            chainAheadSeconds: comparison.chainLead?.components.seconds,
            peersAheadSeconds: comparison.peersLead?.components.seconds,
            warnings: comparison.warnings
        )
    }
}
