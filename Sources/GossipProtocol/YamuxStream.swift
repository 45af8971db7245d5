/// The identity of one stream of a link, unique while the link lasts.
///
/// A peer may use a stream's number again once that stream has ended. The serial is never used
/// again, so a holder of the old stream cannot affect the new one.
package struct YamuxStreamID: Hashable, Sendable {
    package let number: UInt32
    package let serial: UInt64

    package init(number: UInt32, serial: UInt64) {
        (self.number, self.serial) = (number, serial)
    }
}

/// The room the node has for windows to grow.
package enum WindowGrowth: Equatable, Sendable {
    /// Windows may grow by this many bytes together.
    case upTo(Int)
    /// Windows must shrink again as their bytes are read.
    case shrink
}

/// The multiplexer's state of one stream: its windows, and which halves are open.
struct YamuxStream: Sendable {
    let id: YamuxStreamID
    /// Bytes that the peer may still send before it needs more window.
    var credit: Int
    /// Bytes that were delivered to the reader and not consumed yet.
    var unread = 0
    /// The whole receive window: credit, unread, and bytes not given back yet.
    var window: Int
    /// When the peer was last given window, to measure how fast it fills it.
    var givenAt: Moment
    /// Bytes that the peer still accepts.
    var sendWindow: UInt64
    var isAcknowledged: Bool
    var isFinishedByPeer = false
    var isFinishedByUs = false

    init(id: YamuxStreamID, initialWindow: Int, isAcknowledged: Bool, at now: Moment) {
        self.id = id
        credit = initialWindow
        window = initialWindow
        givenAt = now
        sendWindow = UInt64(initialWindow)
        self.isAcknowledged = isAcknowledged
    }
}
