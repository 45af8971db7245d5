import Foundation
import Limits

/// A network namespace in which honest peers and attackers have addresses of their own.
///
/// All addresses belong to the loopback interface, and the node listens on all of them. A socket
/// that connects to one of them has the same address as its source, so a peer that dials the node
/// at an address also comes from that address.
enum AttackNetwork {
    /// Set in the process that runs inside.
    private static let mark = "STOA_BENCH_NETWORK"

    /// The publisher's, and the reader's.
    static let honest = ["198.18.1.1", "198.18.2.1"]
    /// One attacker's: the first is enough for most, all of them are 4 in each of 4 networks /24.
    static let hostile = (0..<4).flatMap { network in
        (1...4).map { "198.18.\(100 + network).\($0)" }
    }

    /// Those of peers that nobody has seen before, each in a network /24 of its own.
    static let newcomers = (0..<80).map { "198.18.\(10 + $0).1" }
    /// Networks /64 of each of the attacker's networks /48.
    private static let networksOfOne = 136

    /// Returns an address in another /64 for each number, in turns of so many networks /48.
    static func hostileIP6(_ number: Int, of networks: Int) -> String {
        let network = number / networks % networksOfOne
        return "2001:db8:\(number % networks + 1):\(String(network + 1, radix: 16))::1"
    }

    static var isInside: Bool { ProcessInfo.processInfo.environment[mark] != nil }

    /// Runs this program again with these arguments in a namespace of its own, to its end, on the
    /// first processor alone: the second is the node's.
    ///
    /// - Throws: ``BenchmarkFault/ended(_:)`` if the system allows none, or if it fails there.
    static func enter(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        let own = getuid() == 0 ? ["--net"] : ["--net", "--map-root-user"]
        process.arguments =
            own + ["/usr/bin/taskset", "-c", "0", CommandLine.arguments[0]] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging([mark: "1"]) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFault.ended(
                "unshare --net taskset -c 0: it takes two processors, and root or user namespaces"
            )
        }
    }

    /// Makes the addresses; those of IPv6 only if an attack uses them.
    static func prepare(withIP6: Bool) throws {
        for (number, address) in (honest + hostile + newcomers).enumerated() {
            guard unsafe limits_own_address(Int32(number), address) == 1 else {
                throw BenchmarkFault.ended("ioctl for the address \(address)")
            }
        }
        if withIP6 { try prepareIP6() }
    }

    /// Lets every address of 2001:db8::/32 arrive here.
    ///
    /// They are not given to the interface: a node asks the system for its own addresses whenever it
    /// describes itself, and no machine has thousands. That a socket comes from the address that it
    /// connects to is then the work of `connect` in Benchmarks/Limits/place.c.
    private static func prepareIP6() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["ip", "-6", "route", "add", "local", "2001:db8::/32", "dev", "lo"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFault.ended("ip -6 route add local 2001:db8::/32 dev lo")
        }
    }
}
