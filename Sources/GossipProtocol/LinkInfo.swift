package import Market

/// One open link, for operators.
package struct LinkInfo: Hashable, Sendable {
    package enum Direction: String, Sendable {
        case inbound
        case outbound
    }

    package let peer: PeerID
    /// The address of the peer's end of the socket.
    package let address: Multiaddr
    package let direction: Direction
    /// When the link opened, in seconds of Unix time.
    package let openedAt: Int64
    package var bytesReceived: UInt64
    package var bytesSent: UInt64

    package init(
        peer: PeerID,
        address: Multiaddr,
        direction: Direction,
        openedAt: Int64,
        bytesReceived: UInt64 = 0,
        bytesSent: UInt64 = 0
    ) {
        self.peer = peer
        self.address = address
        self.direction = direction
        self.openedAt = openedAt
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
    }
}
