/// Counts the connections of one port, and decides whether one more is admitted.
///
/// Connections from this machine have places of their own, which no stranger takes.
struct ConnectionBook: Sendable {
    private let limits: ConnectionLimits
    private var hereCount = 0
    private var elsewhereCount = 0
    private var counts: [String: Int] = [:]

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// The number of connections.
    var count: Int { hereCount + elsewhereCount }

    /// Counts one more connection; returns `false` if there is no place for it.
    mutating func enter(_ network: Network?) -> Bool {
        if let network, network.isThisMachine {
            guard hereCount < limits.hereMax else { return false }
            hereCount += 1
            return true
        }
        let name = Self.name(of: network)
        guard elsewhereCount < limits.elsewhereMax, counts[name, default: 0] < limits.networkMax
        else { return false }
        elsewhereCount += 1
        counts[name, default: 0] += 1
        return true
    }

    /// Gives a place back; to be called once for each connection that was admitted.
    mutating func leave(_ network: Network?) {
        if let network, network.isThisMachine {
            hereCount -= 1
            assert(hereCount >= 0)
            return
        }
        let name = Self.name(of: network)
        elsewhereCount -= 1
        let left = counts[name, default: 0] - 1
        assert(elsewhereCount >= 0 && left >= 0)
        counts[name] = left > 0 ? left : nil
    }

    private static func name(of network: Network?) -> String { network?.name ?? "unknown" }
}
