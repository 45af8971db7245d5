import Synchronization

/// Counts sockets and links, and says no where a limit is reached.
final class Admission: Sendable {
    private struct Count {
        /// Accepted sockets whose handshake is not done.
        var handshakes = 0
        /// Sockets from the first byte on.
        var accepted = 0
        var dialled = 0
        var acceptedByPlace: [[UInt8]: Int] = [:]
    }

    private let limits: LinkLimits
    private let count = Mutex(Count())

    init(limits: LinkLimits) {
        self.limits = limits
    }

    /// Takes a new socket into its handshake, or answers which limit refuses it.
    ///
    /// `source` is who called; `nil` for a socket this node opened, for which strangers'
    /// handshakes leave room.
    func begin(from source: IPAddress?) -> LinkLimit? {
        count.withLock { count in
            if count.accepted + count.dialled >= limits.linksMax { return .links }
            guard let source else {
                count.dialled += 1
                return nil
            }
            if count.accepted >= limits.linksMax - limits.linksDialledReserve { return .links }
            if count.handshakes >= limits.handshakesMax { return .handshakes }
            let already = count.acceptedByPlace[source.place, default: 0]
            let placeMax =
                source.reach == .machine
                ? limits.linksOfThisMachineMax : limits.linksOfOneAddressMax
            if already >= placeMax { return .linksOfOneAddress }
            count.acceptedByPlace[source.place] = already + 1
            count.accepted += 1
            count.handshakes += 1
            return nil
        }
    }

    /// The handshake is done: a link.
    func open(from source: IPAddress?) {
        guard source != nil else { return }
        count.withLock { $0.handshakes -= 1 }
    }

    /// The socket is closed.
    func end(from source: IPAddress?, wasOpen: Bool) {
        count.withLock { count in
            guard let source else {
                count.dialled -= 1
                return
            }
            count.accepted -= 1
            if !wasOpen { count.handshakes -= 1 }
            let already = count.acceptedByPlace[source.place] ?? 1
            count.acceptedByPlace[source.place] = already > 1 ? already - 1 : nil
        }
    }
}

extension IPAddress {
    /// What one caller is sure to have only one of: an IPv4 address, or the /64 that IPv6 gives
    /// to every customer.
    fileprivate var place: [UInt8] { isIP4 ? bytes : Array(bytes.prefix(8)) }
}
