import GossipProtocol
import NIOCore

/// The addresses of this machine's network interfaces.
enum Interfaces {
    /// Returns the addresses; empty if the system does not report them.
    static func addresses() -> [IPAddress] {
        // Without them the node has nothing to announce, but it can still listen.
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { $0.address.flatMap(Multiaddr.init)?.ipAddress }
    }
}
