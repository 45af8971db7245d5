package import GossipProtocol
package import NIOCore

/// Upgrades a new connection to an agreed multiplexer.
///
/// The steps are multistream-select `/tls/1.0.0`, the TLS handshake, and within it
/// multistream-select `/yamux/1.0.0`, unless ALPN chose yamux already. It has no socket: pass in
/// what arrived, and send the bytes of ``takeOutput()``, also after an error, since they may be the
/// alert that tells the peer why.
///
/// Source: libp2p specs, "connections", section "Connection upgrade", and "inlined muxer
/// negotiation".
package struct Upgrade {
    private static let security = "/tls/1.0.0"

    private enum Phase {
        /// Becomes `securing`.
        case agreeing(Multistream)
        /// Becomes `choosing`, or `over` if ALPN chose yamux.
        case securing
        /// Becomes `over`.
        case choosing(Multistream, HostKey)
        case over
    }

    /// A connection on which yamux can start.
    package struct Outcome {
        package let key: HostKey
        package let session: TLSSession
        /// Decrypted bytes that arrived after the last answer of the negotiation.
        package let rest: [UInt8]
    }

    private let role: TLSSession.Role
    private let session: TLSSession
    private let allocator: ByteBufferAllocator
    private var phase: Phase
    private var output: ByteBuffer

    package init(role: TLSSession.Role, session: TLSSession, allocator: ByteBufferAllocator) {
        self.role = role
        self.session = session
        self.allocator = allocator
        let opening = Self.negotiation(Self.security, role)
        phase = .agreeing(opening)
        output = allocator.buffer(bytes: opening.opening)
    }

    /// Takes the bytes to send to the socket; `nil` if there are none.
    package mutating func takeOutput() -> ByteBuffer? {
        guard output.readableBytes > 0 else { return nil }
        defer { output = allocator.buffer(capacity: 0) }
        return output
    }

    /// Handles bytes that arrived.
    ///
    /// - Returns: The outcome once the upgrade is complete; do not call it again after that.
    /// - Throws: ``LinkEnd``
    package mutating func receive(_ bytes: ByteBuffer) throws(LinkEnd) -> Outcome? {
        switch phase {
        case .agreeing(var negotiation):
            let rest = try perform(negotiation.receive(bytes.readableBytesView)) { output, bytes in
                output.writeBytes(bytes)
            }
            phase = .agreeing(negotiation)
            guard let rest else { return nil }
            phase = .securing
            session.receive(ByteBuffer(bytes: rest))
            return try secure()
        case .securing:
            session.receive(bytes)
            return try secure()
        case .choosing:
            session.receive(bytes)
            return try choose()
        case .over: preconditionFailure("an upgrade that is over got \(bytes.readableBytes) bytes")
        }
    }

    private mutating func secure() throws(LinkEnd) -> Outcome? {
        defer { drainSession() }
        let progress: TLSSession.Progress
        do throws(TLSError) {
            progress = try session.advance()
        } catch {
            throw .tls(error)
        }
        guard case .secured(let key, let chosen) = progress else { return nil }
        if chosen == Multiplexer.yamux {
            phase = .over
            return Outcome(key: key, session: session, rest: [])
        }
        let negotiation = Self.negotiation(Multiplexer.yamux, role)
        phase = .choosing(negotiation, key)
        try encrypt(negotiation.opening)
        return try choose()
    }

    private mutating func choose() throws(LinkEnd) -> Outcome? {
        defer { drainSession() }
        var plain = [UInt8](repeating: 0, count: 1_024)
        while case .choosing(var negotiation, let key) = phase {
            let count: Int
            do throws(TLSError) {
                switch try session.read(into: &plain) {
                case .needsMore: return nil
                case .ended: throw .truncated
                case .bytes(let read): count = read
                }
            } catch {
                throw .tls(error)
            }
            let directives = negotiation.receive(plain[..<count])
            var answers: [UInt8] = []
            let rest = try perform(directives) { _, bytes in answers += bytes }
            try encrypt(answers)
            phase = .choosing(negotiation, key)
            guard let rest else { continue }
            phase = .over
            return Outcome(key: key, session: session, rest: rest)
        }
        return nil
    }

    private mutating func encrypt(_ bytes: [UInt8]) throws(LinkEnd) {
        do throws(TLSError) {
            try session.write(bytes)
        } catch {
            throw .tls(error)
        }
    }

    private mutating func drainSession() {
        guard var bytes = session.takeOutput(allocator: allocator) else { return }
        output.writeBuffer(&bytes)
    }

    /// Performs a negotiation's directives; returns the bytes after its end once it is agreed.
    private mutating func perform(
        _ directives: [Multistream.Directive],
        send: (inout ByteBuffer, [UInt8]) -> Void
    ) throws(LinkEnd) -> [UInt8]? {
        for directive in directives {
            switch directive {
            case .send(let bytes): send(&output, bytes)
            case .agreed(_, let rest): return rest
            case .refused: throw .negotiation(.wrongAnswer)
            case .offend(let offence): throw .negotiation(offence)
            }
        }
        return nil
    }

    private static func negotiation(_ name: String, _ role: TLSSession.Role) -> Multistream {
        switch role {
        case .dialer: .dialer([name])
        case .listener: .listener([name])
        }
    }
}
