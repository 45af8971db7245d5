import Concurrency
import GossipProtocol
import Market
import NIOCore

/// Decides which links stay: of two to one peer, and of too many incoming ones.
///
/// Source: Docs/protocol.md, sections 7.5 and 7.6.
extension Links {
    /// Ends the least valuable incoming link if there are too many.
    ///
    /// Links that this node dialled at addresses reported by other peers count as incoming.
    func makeRoom() async {
        guard table.values.count(where: \.isOfStrangers) > limits.linksAcceptedMax else { return }
        let deliveries = await deliveryCounts()
        // Other links may have ended since.
        let brought = table.values.filter(\.isOfStrangers)
        guard brought.count > limits.linksAcceptedMax else { return }
        let now = Moment.ofEventLoops
        let candidates = brought.map { link in
            InboundMerit.Candidate(
                peer: link.peer,
                address: link.address.ipAddress,
                openedAt: link.socket.openedAt,
                deliveries: deliveries[link.peer] ?? 0,
                begun: begun(by: link, at: now)
            )
        }
        guard let victim = InboundMerit.victim(of: candidates, at: now) else { return }
        table[victim]?.socket.end(.refused(.links))
        // The slot is free now, not only when the link's tasks have ended.
        table[victim] = nil
    }

    /// Counts a link for the address that began it.
    func noteBeginning(of link: Link) {
        guard let group = AddressGroup(of: link.address) else { return }
        beginnings.note(group, at: .ofEventLoops)
    }

    /// Returns how many links the address of a link began lately; 0 for a link that this node
    /// dialled.
    private func begun(by link: Link, at now: Moment) -> Int {
        guard link.direction == .inbound, let group = AddressGroup(of: link.address) else {
            return 0
        }
        return beginnings.count(of: group, at: now)
    }

    /// Decides which of two links to one peer stays, and which link must be closed before it is
    /// announced.
    func register(_ link: Link) -> (isKept: Bool, predecessor: Link?) {
        defer { if table[link.peer]?.isSame(as: link) == true { last[link.peer] = link } }
        guard let present = table[link.peer] else {
            table[link.peer] = link
            return (true, last[link.peer])
        }
        let isPreferred = link.dialler(local: localPeer) == min(localPeer, link.peer)
        guard link.direction == present.direction || isPreferred else {
            link.socket.end(.replaced)
            link.closed.finish()
            return (false, nil)
        }
        table[link.peer] = link
        present.socket.end(.replaced)
        return (true, last[link.peer])
    }

    /// Records that all events of a link have been sent.
    func closeGracefully(_ link: Link) {
        if last[link.peer]?.isSame(as: link) == true { last[link.peer] = nil }
        link.closed.finish()
    }
}
