/// Names one stream of a link for as long as the link lasts.
///
/// A peer may use a stream's number again once that stream is over. The serial is never used
/// again, so whoever still holds the old stream cannot touch the new one.
package struct YamuxStreamID: Hashable, Sendable {
    package let number: UInt32
    package let serial: UInt64

    package init(number: UInt32, serial: UInt64) {
        (self.number, self.serial) = (number, serial)
    }
}

/// What the node has to give to windows.
package enum WindowGrowth: Equatable, Sendable {
    /// They may grow by so many bytes together.
    case upTo(Int)
    /// They have to become small again as their bytes are read.
    case shrink
}

/// What the multiplexer knows of one stream: windows and which halves are open.
struct YamuxStream: Sendable {
    let id: YamuxStreamID
    /// What the peer may still send before it needs more window.
    var credit: Int
    /// Delivered to the reader above and not consumed yet.
    var unread = 0
    /// The whole receive window: credit, unread and what is not given back yet.
    var window: Int
    /// When the peer was last given window, to see how fast it fills.
    var givenAt: Moment
    /// What the peer still takes.
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
