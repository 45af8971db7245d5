import Synchronization

/// Counts sockets and links, and says no where a limit is reached.
final class Admission: Sendable {
    private struct Count {
        var handshakes = 0
        var links = 0
        var accepted: [IPAddress: Int] = [:]
    }

    private let limits: LinkLimits
    private let count = Mutex(Count())

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// Takes a new socket into its handshake, or answers which limit refuses it.
    ///
    /// `source` is who called; `nil` for a socket this node opened.
    func begin(from source: IPAddress?) -> LinkLimit? {
        count.withLock { count in
            if count.links + count.handshakes >= limits.linksMax { return .links }
            if count.handshakes >= limits.handshakesMax { return .handshakes }
            if let source {
                let already = count.accepted[source, default: 0]
                if already >= limits.linksOfOneAddressMax { return .linksOfOneAddress }
                count.accepted[source] = already + 1
            }
            count.handshakes += 1
            return nil
        }
    }

    /// The handshake is done: a link.
    func open() {
        count.withLock { count in
            count.handshakes -= 1
            count.links += 1
        }
    }

    /// The socket is closed.
    func end(from source: IPAddress?, wasOpen: Bool) {
        count.withLock { count in
            if wasOpen { count.links -= 1 } else { count.handshakes -= 1 }
            guard let source, let already = count.accepted[source] else { return }
            count.accepted[source] = already > 1 ? already - 1 : nil
        }
    }
}
