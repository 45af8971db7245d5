/// What the multiplexer knows of one stream: windows and which halves are open.
struct YamuxStream: Sendable {
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

    init(initialWindow: Int, isAcknowledged: Bool, at now: Moment) {
        credit = initialWindow
        window = initialWindow
        givenAt = now
        sendWindow = UInt64(initialWindow)
        self.isAcknowledged = isAcknowledged
    }
}
