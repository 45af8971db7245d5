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

    @Test func `sends no bytes until the rest of the peer's message has come`() throws {
        let (dialer, listener) = (try session(.dialer), try session(.listener))
        // A ticket with the dialer's certificate, in two records.
        _ = unsafe SSL_clear_options(listener.session, 1 << 14)
        for _ in 0..<4 {
            _ = try dialer.advance()
            carry(from: dialer, to: listener)
            _ = try listener.advance()
            carry(from: listener, to: dialer)
        }
        let limit = SSL_CTRL_SET_MAX_SEND_FRAGMENT
        #expect(unsafe SSL_ctrl(listener.session, limit, 512, nil) == 1)
        #expect(unsafe SSL_new_session_ticket(listener.session) == 1)
        try listener.write([1])
        var rest = try #require(listener.takeOutput(allocator: allocator))
        // The header of a record ends with the length of what follows it.
        let length = try #require(rest.getInteger(at: rest.readerIndex + 3, as: UInt16.self))
        let record = rest.readSlice(length: 5 + Int(length))
        dialer.receive(try #require(record))
        var bytes = [UInt8](repeating: 0, count: 100)
        #expect(try dialer.read(into: &bytes) == .needsMore)
        #expect(try dialer.write([7, 8]) == false)
        #expect(dialer.takeOutput(allocator: allocator) == nil)
        dialer.receive(rest)
        #expect(try dialer.write([7, 8, 9]) == true)
        carry(from: dialer, to: listener)
        #expect(try listener.read(into: &bytes) == .bytes(count: 3))
        #expect(bytes.prefix(3) == [7, 8, 9])
        #expect(try dialer.read(into: &bytes) == .bytes(count: 1))
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
