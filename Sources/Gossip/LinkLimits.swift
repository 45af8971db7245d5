/// Everything a stranger can make this node's links spend.
///
/// Source: Docs/protocol.md, section 7 "Transport".
package struct LinkLimits: Sendable {
    /// Open links, both directions.
    package var linksMax = 256
    /// Those that only this node's own dials can take, so that nobody can shut it in.
    package var linksDialledReserve = 32
    /// Links accepted from one IPv4 address, or one /64 of IPv6.
    package var linksOfOneAddressMax = 32
    /// Links accepted from this machine itself, where a whole market may run.
    package var linksOfThisMachineMax = 224
    /// Accepted sockets whose handshake is not done; on this machine also of one address.
    package var handshakesMax = 64
    /// The same, of one IPv4 address or /64 of IPv6, and of one /24 or /48.
    package var handshakesOfOneAddressMax = 8
    package var handshakesOfOneSubnetMax = 16
    /// Handshakes that one address may begin at once, and how many more each second.
    ///
    /// One /24 or /48 may begin twice as many; on this machine only their number counts.
    package var handshakesOfOneAddressBurst = 32
    package var handshakesOfOneAddressPerSecond = 4
    /// Dials on a stranger's word that are running; they take none of the places kept for this
    /// node's own, and what comes of them counts as if others had dialled it.
    package var toldDialsMax = 8
    /// IP addresses taken of one name.
    package var addressesPerNameMax = 4
    /// From connected to a multiplexer agreed on.
    package var handshakeMax = Duration.seconds(10)
    /// For the socket itself.
    package var connectMax = Duration.seconds(10)
    /// From a stream opened to its protocol agreed on.
    package var negotiationMax = Duration.seconds(10)
    /// A link without streams is closed after this.
    package var idleMax = Duration.seconds(600)
    /// How often idle links and pings are looked at.
    package var tickInterval = Duration.seconds(1)
    /// How long a goodbye may take to be sent.
    package var goAwayMax = Duration.seconds(1)
    /// Encrypted bytes that wait for one socket before its streams stop.
    package var socketBytesHigh = 262_144
    /// Encrypted bytes at which streams go on.
    package var socketBytesLow = 65_536
    /// Bytes of answers to one peer that are made or on their way.
    package var answersBytesMax = 512 << 10
    /// Answers to pings and openings that one peer may leave unread before the link ends.
    package var unreadControlBytesMax = 65_536
    /// Bytes that arrived and that no task has dealt with, in the whole node: those that wait for
    /// readers, and those of messages that are not whole yet.
    package var unreadBytesMax = 256 << 20
    /// What all windows of the node may grow by together.
    package var grownBytesMax = 256 << 20
    /// Events that wait for their reader.
    package var eventsMax = 256
    /// Streams of one protocol of the links' own, such as ping, that a peer may have open here.
    package var ownStreamsPerPeerMax = 4
    /// Streams that peers of one address may open here at once, and how many more each second.
    ///
    /// The excess is reset; on this machine only each link counts.
    package var openingsOfOneAddressMax = 2_048
    package var openingsOfOneAddressPerSecond = 128
    /// Streams of a peer that may end with no protocol agreed, at once, and one more each
    /// interval; and as how many openings each counts for the peer's address.
    package var fruitlessStreamsBurst = 32
    package var fruitlessStreamInterval = Duration.seconds(2)
    package var fruitlessStreamOpenings = 16
    /// Descriptions that a peer may ask for and send, together: at once, and one more each interval.
    package var descriptionsBurst = 16
    package var descriptionInterval = Duration.seconds(10)
    package var yamux = YamuxLimits()

    package init() {}

    /// Open links that others dialled.
    var linksAcceptedMax: Int { linksMax - linksDialledReserve }

    /// What each link may leave unread however much the others do.
    var unreadShareBytes: Int { unreadBytesMax / 4 * 3 / linksMax }

    /// What the windows of each link may grow by however much the others' did.
    var grownShareBytes: Int { grownBytesMax / 4 * 3 / linksMax }

    /// Stops a configuration whose limits contradict each other.
    package func check() {
        yamux.check()
        precondition(handshakesMax > 0 && linksMax > 0, "no link could ever open")
        precondition(linksDialledReserve < linksMax, "no link could be accepted")
        precondition(linksOfOneAddressMax <= linksMax, "one address may not exceed the whole")
        precondition(
            handshakesOfOneAddressMax <= handshakesOfOneSubnetMax,
            "a subnet holds its addresses"
        )
        precondition(socketBytesLow < socketBytesHigh, "streams would never go on")
        precondition(yamux.grownBytesMax <= grownBytesMax, "a link may not exceed the node")
        precondition(
            MessageReader.bytesMax + MessageReader.readBytesMax + yamux.initialWindowBytes
                <= unreadShareBytes,
            "a link's share would not hold the longest message and a window"
        )
        precondition(MessageReader.bytesMax <= answersBytesMax, "an answer would find no room")
        precondition(tickInterval <= idleMax, "an idle link would not be noticed in time")
        precondition(fruitlessStreamsBurst > 0, "a peer may ask for what is not spoken here")
    }
}

/// What one link's multiplexer allows itself and its peer.
package struct YamuxLimits: Sendable {
    /// Fixed by the protocol: both sides start a stream with this.
    package let initialWindowBytes = 262_144
    package var windowBytesMax = 16 << 20
    /// What the windows of one link may grow by together.
    package var grownBytesMax = 32 << 20
    /// Streams opened by the peer at one time.
    package var streamsAcceptedMax = 256
    /// Streams opened by us at one time.
    package var streamsOpenedMax = 1_024
    /// Streams opened by us that the peer has not acknowledged.
    package var unacknowledgedMax = 256
    /// Streams that a peer may open at once, and how many more each second.
    package var openingsMax = 1_024.0
    package var openingsPerSecond = 32.0
    /// Refused openings after which the peer is taken for an attacker, and how many of them are
    /// forgiven each second.
    package var refusedOpeningsMax = 1_024
    package var refusalsForgivenPerSecond = 1.0
    /// Streams that are over and for which bytes may still be on their way.
    package var endedStreamsMax = 4_096
    /// The most data in one frame, so that streams share the link fairly.
    package var frameBytesMax = 65_536
    package var pingInterval = Duration.seconds(30)
    package var pingAnswerMax = Duration.seconds(20)

    package init() {}

    func check() {
        precondition(windowBytesMax >= initialWindowBytes, "a window does not shrink")
        precondition(windowBytesMax <= 1 << 30, "a window update has 32 bits")
        precondition(unacknowledgedMax <= streamsOpenedMax, "unacknowledged streams are open ones")
        precondition(frameBytesMax <= initialWindowBytes, "a frame fits into a fresh window")
        precondition(pingAnswerMax <= pingInterval, "one ping is answered before the next")
    }
}
