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

    /// Refuses an address of this machine at which a foreign user listens.
    ///
    /// - Parameters:
    ///   - address: Where the node of the folder should be.
    ///   - folder: The node's data folder, whose owner may listen, too.
    ///   - tables: The contents of `/proc/net/tcp` and `/proc/net/tcp6`.
    ///   - own: The addresses of this machine's interfaces.
    /// - Throws: ``Failure``. Nothing is refused if the system does not tell who listens.
    static func require(
        _ address: NodeAddress,
        of folder: String,
        in tables: [String] = systemTables(),
        own: [[UInt8]] = interfaces()
    ) throws {
        let owner = try? FileManager.default.attributesOfItem(atPath: folder)[.ownerAccountID]
        let known = [0, getuid(), (owner as? NSNumber)?.uint32Value].compactMap(\.self)
        let listeners = called(address.host, own: own).flatMap {
            users(listeningAt: $0, address.port, in: tables)
        }
        guard let foreign = listeners.first(where: { !known.contains($0) }) else { return }
        throw Failure(
            .notAllowed,
            "Another user of this machine (\(foreign)) listens at \(address), where the node of "
                + "\(folder) should be. Nothing was sent there. Start your node at another port, or "
                + "name the node with --node if it is that user's."
        )
    }

    /// Returns the addresses of this machine, in the order of the network, that a call to a host can
    /// reach; none for another machine.
    ///
    /// A call to any address reaches the loopback one.
    private static func called(_ host: String, own: [[UInt8]]) -> [[UInt8]] {
        let loopback4: [UInt8] = [127, 0, 0, 1]
        let loopback6 = Array(repeating: UInt8(0), count: 15) + [1]
        guard host.lowercased() != "localhost" else { return [loopback4, loopback6] }
        guard var bytes = numeric(host) else { return [] }
        if bytes.starts(with: mappedPrefix) { bytes.removeFirst(mappedPrefix.count) }
        guard bytes.contains(where: { $0 != 0 }) else {
            return [bytes.count == 4 ? loopback4 : loopback6]
        }
        let isLoopback = bytes.count == 4 ? bytes[0] == 127 : bytes == loopback6
        return isLoopback || own.contains(bytes) ? [bytes] : []
    }

    /// Returns the users whose sockets take connections to an address.
    ///
    /// A socket of exactly that address takes them; only without one does a socket of any address.
    private static func users(
        listeningAt address: [UInt8],
        _ port: Int,
        in tables: [String]
    ) -> [UInt32] {
        let sockets = tables.flatMap { $0.split(separator: "\n") }.compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[3] == listening, let user = UInt32(fields[7]) else {
                return nil as (local: String, user: UInt32)?
            }
            let local = fields[1].split(separator: ":")
            guard local.count == 2, Int(local[1], radix: 16) == port else { return nil }
            return (String(local[0]), user)
        }
        for forms in forms(of: address) {
            let users = sockets.filter { forms.contains($0.local) }.map(\.user)
            guard users.isEmpty else { return users }
        }
        return []
    }

    /// The texts in the tables of an address and of any address, in the order in which the system
    /// looks for a socket.
    ///
    /// One of any IPv6 address can take IPv4 connections too.
    private static func forms(of address: [UInt8]) -> [[String]] {
        let any6 = hex(Array(repeating: 0, count: 16))
        guard address.count == 4 else { return [[hex(address)], [any6]] }
        return [address, [0, 0, 0, 0]].map { [hex($0), hex(mappedPrefix + $0)] } + [[any6]]
    }

    /// Writes an address as the tables do: each four bytes as a number in the machine's order.
    private static func hex(_ address: [UInt8]) -> String {
        stride(from: 0, to: address.count, by: 4).map { start in
            let word = address[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let digits = String(UInt32(bigEndian: word), radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The start of an IPv4 address that is written as an IPv6 one.
    private static let mappedPrefix = Array(repeating: UInt8(0), count: 10) + [255, 255]

    /// Reads an address in numbers; `nil` for a name.
    private static func numeric(_ host: String) -> [UInt8]? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &found) == 0 else { return nil }
        defer { unsafe freeaddrinfo(found) }
        return unsafe bytes(of: found?.pointee.ai_addr)
    }

    /// The addresses of this machine's interfaces, in the order of the network.
    static func interfaces() -> [[UInt8]] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var (found, next): ([[UInt8]], UnsafeMutablePointer<ifaddrs>?) = unsafe ([], first)
        while let interface = unsafe next {
            if let bytes = unsafe bytes(of: interface.pointee.ifa_addr) { found.append(bytes) }
            unsafe next = interface.pointee.ifa_next
        }
        return found
    }

    @unsafe private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let address = unsafe address else { return nil }
        let start = UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            return unsafe withUnsafeBytes(of: start.load(as: sockaddr_in.self).sin_addr) {
                unsafe Array($0)
            }
        case AF_INET6:
            return unsafe withUnsafeBytes(of: start.load(as: sockaddr_in6.self).sin6_addr) {
                unsafe Array($0)
            }
        default: return nil
        }
    }

    static func systemTables() -> [String] {
        ["/proc/net/tcp", "/proc/net/tcp6"].compactMap {
            FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
