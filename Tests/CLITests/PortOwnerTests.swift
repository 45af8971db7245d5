import Client
import Foundation
import Support
import Testing

@testable import CLI

struct PortOwnerTests {
    private static let stranger = UInt32(54_321)

    /// A line of the system's table of sockets.
    private static func line(_ address: String, _ port: Int, state: String = "0A") -> String {
        let hex = String(port, radix: 16, uppercase: true)
        let local = "\(address):" + String(repeating: "0", count: 4 - hex.count) + hex
        return "   0: \(local) 00000000:0000 \(state) 00000000:00000000 00:00000000 00000000 "
            + "\(stranger)        0 20931 1 0000000000000000 100 0 0 10 0"
    }

    /// - From commands: a call to the folder's node while another user listens at its address → exit 9,
    ///   and nothing is sent
    @Test(arguments: [
        "0100007F", "00000000", String(repeating: "0", count: 32),
        "00000000000000000000000001000000", "0000000000000000FFFF00000100007F",
    ])
    func `a token is not for another user at the node's port`(address: String) throws {
        let folder = try TemporaryFolder()
        let table = "  sl  local_address rem_address   st\n" + Self.line(address, 8_080)
        let node = NodeAddress(host: "127.0.0.1", port: 8_080)
        let refused = #expect(throws: Failure.self) {
            try PortOwner.require(node, of: folder.path, in: [table])
        }
        #expect(refused?.code == .notAllowed)
        #expect(refused?.message.contains("\(Self.stranger)") == true)
    }

    @Test func `others may listen elsewhere, and at other ports`() throws {
        let folder = try TemporaryFolder()
        let table = [
            Self.line("0501A8C0", 8_080), Self.line("0100007F", 8_081),
            Self.line("0100007F", 8_080, state: "01"),
        ].joined(separator: "\n")
        let node = NodeAddress(host: "127.0.0.1", port: 8_080)
        try PortOwner.require(node, of: folder.path, in: [table, ""])
        let far = NodeAddress(host: "192.0.2.1", port: 8_080)
        try PortOwner.require(far, of: folder.path, in: [Self.line("00000000", 8_080)])
        // The system's own tables name the user of this test.
        try PortOwner.require(node, of: folder.path, in: [])
    }
}
