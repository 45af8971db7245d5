import Client
import Foundation

/// Whose processes listen at a port of this machine.
///
/// While a node is stopped, any other user of the machine can listen at its port, and would get the
/// tokens and passwords that are meant for the node.
///
/// Source: proc_pid_net(5), "/proc/net/tcp".
enum PortOwner {
    /// The state of a socket that listens.
    private static let listening = "0A"

    /// Refuses an address of this machine at which only a foreign user listens.
    ///
    /// - Parameters:
    ///   - address: Where the node of the folder should be.
    ///   - folder: The node's data folder, whose owner may listen, too.
    ///   - tables: The system's sockets, see ``users(listeningAt:in:)``.
    /// - Throws: ``Failure``. Nothing is refused if the system does not tell who listens.
    static func require(
        _ address: NodeAddress,
        of folder: String,
        in tables: [String] = systemTables()
    ) throws {
        guard address.isLoopback else { return }
        let owner = try? FileManager.default.attributesOfItem(atPath: folder)[.ownerAccountID]
        let known = [0, getuid(), (owner as? NSNumber)?.uint32Value].compactMap(\.self)
        let users = users(listeningAt: address.port, in: tables)
        guard let foreign = users.first(where: { !known.contains($0) }) else { return }
        throw Failure(
            .notAllowed,
            "Another user of this machine (\(foreign)) listens at \(address), where the node of "
                + "\(folder) should be. Nothing was sent there. Start your node at another port, or "
                + "name the node with --node if it is that user's."
        )
    }

    /// Returns the users whose sockets take connections to this machine at a port.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - tables: The contents of `/proc/net/tcp` and `/proc/net/tcp6`.
    /// - Returns: Their numbers.
    static func users(listeningAt port: Int, in tables: [String]) -> [UInt32] {
        tables.flatMap { $0.split(separator: "\n") }.compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[3] == listening else { return nil }
            let local = fields[1].split(separator: ":")
            guard local.count == 2, Int(local[1], radix: 16) == port, isHere(local[0]) else {
                return nil
            }
            return UInt32(fields[7])
        }
    }

    /// Whether an address of a table, in the machine's order of bytes, is any or a loopback one.
    private static func isHere(_ hex: Substring) -> Bool {
        if hex.allSatisfy({ $0 == "0" }) { return true }
        let mapped = "0000000000000000FFFF0000"
        return hex.count == 8 || hex.hasPrefix(mapped)
            ? hex.hasSuffix("7F") : hex == "00000000000000000000000001000000"
    }

    private static func systemTables() -> [String] {
        ["/proc/net/tcp", "/proc/net/tcp6"].compactMap {
            FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
