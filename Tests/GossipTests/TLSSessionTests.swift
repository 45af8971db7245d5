import COpenSSL
import Concurrency
import Keys
import NIOCore
import Testing

@testable import Gossip
@testable import GossipProtocol

struct TLSSessionTests {
    private let allocator = ByteBufferAllocator()

    /// - From peers: a flood of TLS tickets → the link ends
    @Test func `disconnects a peer that sends session tickets without pause`() throws {
        let (dialer, listener) = (try session(.dialer), try session(.listener))
        for _ in 0..<4 {
            _ = try dialer.advance()
            carry(from: dialer, to: listener)
            _ = try listener.advance()
            carry(from: listener, to: dialer)
        }
        var bytes = [UInt8](repeating: 0, count: 100)
        for _ in 0..<16 {
            try sendTicket(listener)
            #expect(try dialer.read(into: &bytes) == .bytes(count: 1))
        }
        try sendTicket(listener)
        #expect(throws: TLSError.tooManyKeyUpdates) { try dialer.read(into: &bytes) }

        /// Sends a ticket, which this program's sessions never do, and a byte.
        func sendTicket(_ session: TLSSession) throws {
            #expect(unsafe SSL_new_session_ticket(session.session) == 1)
            try session.write([1])
            carry(from: session, to: dialer)
        }
    }

    /// - From peers: expensive key agreements, such as ffdhe8192 → the handshake is refused
    @Test(arguments: ["ffdhe8192", "P-521", "X448"])
    func `refuses a handshake that would be expensive for this side`(groups: String) throws {
        let own = try HostCertificate(identity: .random())
        let credentials = try TLSCredentials(
            certificates: [own.certificate],
            privateKey: own.privateKey,
            groups: groups
        )
        let (dialer, listener) = (try session(.dialer, credentials), try session(.listener))
        _ = try dialer.advance()
        carry(from: dialer, to: listener)
        #expect(throws: TLSError.self) { try listener.advance() }
    }

    private func session(
        _ role: TLSSession.Role,
        _ credentials: TLSCredentials? = nil
    ) throws -> TLSSession {
        try TLSSession(
            credentials: credentials ?? TLSCredentials(identity: .random()),
            role: role,
            expecting: nil,
            at: SystemWallClock.seconds()
        )
    }

    private func carry(from one: TLSSession, to other: TLSSession) {
        if let bytes = one.takeOutput(allocator: allocator) { other.receive(bytes) }
    }
}
