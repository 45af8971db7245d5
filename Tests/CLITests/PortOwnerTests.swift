import Client
import Foundation
import Support
import Testing

@testable import CLI

struct PortOwnerTests {
    private static let stranger = UInt32(54_321)

    private static let (any4, any6) = ("00000000", String(repeating: "0", count: 32))
    private static let (loopback4, loopback6) = ("0100007F", String(any6.dropLast(8)) + "01000000")
    private static let mapped = "0000000000000000FFFF0000"
    /// The address 192.168.1.5.
    private static let lan = (bytes: [192, 168, 1, 5] as [UInt8], hex: "0501A8C0")

    /// A line of the system's table of sockets.
    private static func line(
        _ address: String,
        _ port: Int = 8_080,
        state: String = "0A",
        of user: UInt32 = stranger
    ) -> String {
        let hex = String(port, radix: 16, uppercase: true)
        let local = "\(address):" + String(repeating: "0", count: 4 - hex.count) + hex
        return "   0: \(local) 00000000:0000 \(state) 00000000:00000000 00:00000000 00000000 "
            + "\(user)        0 20931 1 0000000000000000 100 0 0 10 0"
    }

    private static func require(_ host: String, _ lines: [String]) throws {
        let folder = try TemporaryFolder()
        let table = "  sl  local_address rem_address   st\n" + lines.joined(separator: "\n")
        let node = NodeAddress(host: host, port: 8_080)
        try PortOwner.require(node, of: folder.path, in: [table, ""], own: [lan.bytes])
    }

    /// - From commands: a call to the folder's node while another user listens at its address → exit 9,
    ///   and nothing is sent
    @Test(arguments: [
        ("127.0.0.1", loopback4), ("127.0.0.1", any4), ("127.0.0.1", any6),
        ("127.0.0.1", mapped + loopback4), ("127.0.0.1", mapped + any4), ("127.0.0.2", "0200007F"),
        ("::1", loopback6), ("[::1]", any6), ("localhost", loopback4), ("LOCALHOST", loopback6),
        ("0.0.0.0", loopback4), ("0.0.0.0", any4), ("::", loopback6), ("::", any6),
        ("::ffff:127.0.0.1", loopback4), ("192.168.1.5", lan.hex), ("192.168.1.5", any4),
    ])
    func `a token is not for another user at the node's port`(host: String, at: String) throws {
        let refused = #expect(throws: Failure.self) { try Self.require(host, [Self.line(at)]) }
        #expect(refused?.code == .notAllowed)
        #expect(refused?.message.contains("\(Self.stranger)") == true)
    }

    @Test func `the socket of exactly the called address decides`() throws {
        let (own, others) = (getuid(), [Self.any4, Self.any6, Self.loopback6, Self.lan.hex])
        let foreign = others.map { Self.line($0) }
        try Self.require("127.0.0.1", foreign + [Self.line(Self.loopback4, of: own)])
        try Self.require("0.0.0.0", foreign + [Self.line(Self.loopback4, of: own)])
        let any = [Self.line(Self.any4, of: own), Self.line(Self.loopback6)]
        try Self.require("127.0.0.1", any)
        try Self.require("192.168.1.5", any)
        #expect(throws: Failure.self) { try Self.require("localhost", any) }
        #expect(throws: Failure.self) {
            try Self.require("127.0.0.1", any + [Self.line(Self.loopback4)])
        }
    }

    @Test func `others may listen elsewhere, and at other ports`() throws {
        let elsewhere = [
            Self.line(Self.lan.hex), Self.line(Self.loopback6), Self.line("0200007F"),
            Self.line(Self.loopback4, 8_081), Self.line(Self.loopback4, state: "01"),
        ]
        try Self.require("127.0.0.1", elsewhere)
        try Self.require("0.0.0.0", elsewhere)
        for far in ["192.0.2.1", "2001:db8::1", "node.example"] {
            try Self.require(far, [Self.line(Self.any4), Self.line(Self.any6)])
        }
        // The system's own tables name the user of this test.
        let (folder, node) = (try TemporaryFolder(), NodeAddress(host: "127.0.0.1", port: 8_080))
        try PortOwner.require(node, of: folder.path, in: [])
    }
}
