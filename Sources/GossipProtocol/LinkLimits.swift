/// Bounds on the resources that other peers can make this node's links spend.
///
/// Source: Docs/protocol.md, section 7 "Transport".
package struct LinkLimits: Sendable {
    /// Open links, both directions.
    package var linksMax = 256
    /// Links reserved for this node's own dials, so that incoming links cannot isolate it.
    package var linksDialledReserve = 32
    /// Links accepted from one IPv4 address, or one /64 of IPv6.
    package var linksOfOneAddressMax = 32
    /// Links accepted from this machine itself, on which a whole market may run.
    package var linksOfThisMachineMax = 224
    /// Accepted sockets whose handshake is unfinished; for this machine, also the limit per
    /// address.
    package var handshakesMax = 64
    /// The same limit for one IPv4 address or /64 of IPv6, and for one /24 or /48.
    package var handshakesOfOneAddressMax = 8
    package var handshakesOfOneSubnetMax = 16
    /// Handshakes that one address may begin at once, and how many more each second.
    ///
    /// One /24 or /48 may begin twice as many. This machine is exempt; only `handshakesMax`
    /// applies.
    package var handshakesOfOneAddressBurst = 32
    package var handshakesOfOneAddressPerSecond = 4
    /// Simultaneous dials to addresses that other peers reported.
    ///
    /// They do not use the slots reserved for this node's own dials, and the resulting links count
    /// as incoming ones.
    package var reportedDialsMax = 8
    /// IP addresses tried for one host name.
    package var addressesPerNameMax = 4
    /// From the connected socket to the agreed multiplexer.
    package var handshakeMax = Duration.seconds(10)
    /// For connecting the socket.
    package var connectMax = Duration.seconds(10)
    /// From the opened stream to its agreed protocol.
    package var negotiationMax = Duration.seconds(10)
    /// A link without streams is closed after this.
    package var idleMax = Duration.seconds(600)
    /// How often idle links and pings are checked.
    package var tickInterval = Duration.seconds(1)
    /// How long sending the closing messages may take.
    package var goAwayMax = Duration.seconds(1)
    /// Encrypted bytes waiting for one socket at which its streams stop sending.
    package var socketBytesHigh = 262_144
    /// Encrypted bytes waiting for one socket at which its streams resume.
    package var socketBytesLow = 65_536
    /// Bytes of answers to one peer that are being built or sent.
    package var answersBytesMax = 512 << 10
    /// Answers to pings and openings that one peer may leave unread before the link ends.
    package var unreadControlBytesMax = 65_536
    /// The number of frames and TLS records that a link may deliver at once, and how many more each
    /// second.
    ///
    /// Beyond that its socket is not read.
    package var piecesBurst = 4_096
    package var piecesPerSecond = 1_024
    /// Bytes of one socket that are read before other sockets have their turn.
    package var readBytesMax = 65_536
    /// Bytes of data, received or sent, that give one of them back.
    package var bytesOfOnePiece = 128
    /// Received bytes in the whole node that no task has handled yet: those that wait for readers,
    /// and those of incomplete messages.
    package var unreadBytesMax = 256 << 20
    /// Total growth of all flow-control windows of the node.
    package var grownBytesMax = 256 << 20
    /// Link events that wait for their reader.
    package var eventsMax = 256
    /// The number of streams of one link protocol, such as ping, that a peer may have open here.
    package var ownStreamsPerPeerMax = 4
    /// Streams that peers of one address may open here at once, and how many more each second.
    ///
    /// Streams beyond that are reset. For this machine, only the limits per link apply.
    package var openingsOfOneAddressMax = 2_048
    package var openingsOfOneAddressPerSecond = 128
    /// Streams of one peer that may end without an agreed protocol: this many at once, and one more
    /// each interval.
    ///
    /// Each also counts as `fruitlessStreamOpenings` openings of the peer's address.
    package var fruitlessStreamsBurst = 32
    package var fruitlessStreamInterval = Duration.seconds(2)
    package var fruitlessStreamOpenings = 16
    /// Identify messages that a peer may request and push together: at once, and one more each
    /// interval.
    package var descriptionsBurst = 16
    package var descriptionInterval = Duration.seconds(10)
    /// The interval at which the node checks its addresses and pushes changes to peers.
    package var addressInterval = Duration.seconds(30)
    package var yamux = YamuxLimits()

    package init() {}

    /// Open links that other peers dialled.
    package var linksAcceptedMax: Int { linksMax - linksDialledReserve }

    /// Unread bytes that each link may always hold, whatever the other links hold.
    package var unreadShareBytes: Int { unreadBytesMax / 4 * 3 / linksMax }

    /// Window growth that each link may always have, whatever the other links have.
    package var grownShareBytes: Int { grownBytesMax / 4 * 3 / linksMax }

    /// Stops the program if limits contradict each other.
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
            MessageSplitter.messageBytesMax + MessageSplitter.readBytesMax
                + yamux.initialWindowBytes
                <= unreadShareBytes,
            "a link's share would not hold the longest message and a window"
        )
        precondition(
            MessageSplitter.messageBytesMax <= answersBytesMax,
            "an answer would find no room"
        )
        precondition(piecesBurst > 0 && piecesPerSecond > 0, "no frame would be read")
        precondition(tickInterval <= idleMax, "an idle link would not be noticed in time")
        precondition(fruitlessStreamsBurst > 0, "a peer may ask for what is not spoken here")
    }
}

/// Limits of one link's multiplexer, for this node and its peer.
package struct YamuxLimits: Sendable {
    /// Fixed by the protocol: each stream starts with this window on both sides.
    package let initialWindowBytes = 262_144
    package var windowBytesMax = 16 << 20
    /// Total growth of the windows of one link.
    package var grownBytesMax = 32 << 20
    /// Streams that the peer has open at one time.
    package var streamsAcceptedMax = 256
    /// Streams that this node has open at one time.
    package var streamsOpenedMax = 1_024
    /// Streams opened by this node that the peer has not acknowledged.
    package var unacknowledgedMax = 256
    /// Streams that a peer may open at once, and how many more each second.
    package var openingsMax = 1_024.0
    package var openingsPerSecond = 32.0
    /// Refused openings after which the peer counts as an attacker, and how many of them are
    /// forgiven each second.
    package var refusedOpeningsMax = 1_024
    package var refusalsForgivenPerSecond = 1.0
    /// Ended streams for which bytes may still arrive.
    package var endedStreamsMax = 4_096
    /// Data bytes in one frame at most, so that streams share the link fairly: with its header, a
    /// frame fills four records of TLS.
    package var frameBytesMax = 65_524
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
