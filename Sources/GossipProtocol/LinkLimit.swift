/// The limit that prevented an opening.
package enum LinkLimit: String, Equatable, Sendable {
    case links
    case linksOfOneAddress
    /// Dials to addresses that other peers reported.
    case reportedDials
    case handshakes
    /// Handshakes begun recently by one address or its subnet.
    case handshakesOfOneAddress
    case streams
    /// Received bytes that no task of this node has handled.
    case bytes
    /// The address is banned for an offence.
    case banned
}

extension LinkLimit {
    /// The limit that was reached.
    package var words: String {
        switch self {
        case .links: "links"
        case .linksOfOneAddress: "links to one address"
        case .handshakesOfOneAddress: "handshakes from one address"
        case .reportedDials: "dials to addresses from other peers"
        case .handshakes: "running handshakes"
        case .streams: "streams"
        case .bytes: "waiting bytes"
        case .banned: "links to a banned address"
        }
    }
}
