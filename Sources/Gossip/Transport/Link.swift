import Concurrency
import GossipProtocol
import Market
import NIOCore

/// A secured connection to one peer, as tasks use it.
struct Link: Sendable {
    let peer: PeerID
    let address: Multiaddr
    let direction: LinkInfo.Direction
    /// Whether this node dialled it at an address that another peer reported.
    let isReported: Bool
    let openedAt: Int64
    let socket: LinkSocket
    /// Finishes once the link's `closed` event has been sent.
    let closed = BoundedQueue<Never>(elementsMax: 1)

    /// Whether this and `other` are the same connection.
    func isSame(as other: Link) -> Bool { closed === other.closed }

    /// Whether it counts among the links that other peers can cause.
    var isOfStrangers: Bool { direction == .inbound || isReported }

    /// Returns the peer that opened the connection.
    func dialler(local: PeerID) -> PeerID { direction == .outbound ? local : peer }

    /// A snapshot that needs no call to the event loop; its byte counts are zero.
    var info: LinkInfo {
        LinkInfo(peer: peer, address: address, direction: direction, openedAt: openedAt)
    }

    var countedInfo: LinkInfo {
        get async {
            var info = info
            (info.bytesReceived, info.bytesSent) = await socket.counts()
            return info
        }
    }
}

/// A connection from its first byte on, as tasks use it.
struct LinkSocket: Sendable {
    let channel: NIOLoopBound<LinkChannel>
    let arrivals: BoundedQueue<StreamHandle>
    /// The peer's offences that do not end the link.
    let offences: BoundedQueue<PeerOffence>
    let opened: EventLoopFuture<HostKey>
    let ended: EventLoopFuture<LinkEnd>
    /// The address of the remote end.
    let remote: Multiaddr
    /// When the socket was connected.
    let openedAt: Moment

    /// Builds the pipeline of a new connection; call it on the connection's event loop.
    static func make(
        on channel: any Channel,
        shared: LinkChannel.Shared,
        role: TLSSession.Role,
        expecting peer: PeerID?,
        remote: Multiaddr
    ) throws -> LinkSocket {
        let arrivals = BoundedQueue<StreamHandle>(
            elementsMax: shared.limits.yamux.streamsAcceptedMax
        )
        let link = LinkChannel(
            shared: shared,
            role: role,
            expecting: peer,
            from: AddressGroup(of: remote),
            loop: channel.eventLoop,
            arrivals: arrivals
        )
        try channel.pipeline.syncOperations.addHandler(link)
        return LinkSocket(
            channel: NIOLoopBound(link, eventLoop: channel.eventLoop),
            arrivals: arrivals,
            offences: link.offences,
            opened: link.opened.futureResult,
            ended: link.ended.futureResult,
            remote: remote,
            openedAt: .ofEventLoops
        )
    }

    func open() async throws -> StreamHandle? {
        try await channel.eventLoop.submit { channel.value.open() }.get()
    }

    func end(_ reason: LinkEnd) {
        channel.eventLoop.execute { channel.value.end(reason) }
    }

    func counts() async -> (received: UInt64, sent: UInt64) {
        let counted = channel.eventLoop.submit {
            (channel.value.bytesReceived, channel.value.bytesSent)
        }
        do {
            return try await counted.get()
        } catch {
            // The loop is shutting down with the program.
            return (0, 0)
        }
    }
}
