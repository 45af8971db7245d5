import NIOCore

/// The addresses of this machine's network interfaces.
enum Interfaces {
    /// Empty where the system does not tell.
    static func addresses() -> [IPAddress] {
        // Without them a node has nothing to announce, which is no reason not to listen.
        let devices = (try? System.enumerateDevices()) ?? []
        return devices.compactMap { $0.address.flatMap(Multiaddr.init)?.ipAddress }
    }
}
