import COpenSSL
package import GossipProtocol
package import Market
package import NIOCore

/// One TLS connection without a socket: encrypted bytes in, encrypted bytes out.
///
/// It belongs to one event loop, as do all of its OpenSSL objects.
///
/// Source: RFC 8446; libp2p specs, tls.
@safe
package final class TLSSession {
    package enum Role: Sendable {
        case dialer
        case listener
    }

    /// The state of the handshake.
    package enum Progress: Equatable, Sendable {
        case shaking
        /// Complete, with this peer and the protocol agreed by ALPN.
        case secured(HostKey, applicationProtocol: String)
    }

    /// The result of a read.
    package enum ReadResult: Equatable, Sendable {
        case bytes(count: Int)
        case needsMore
        /// The peer closed the session.
        case ended
    }

    private let credentials: TLSCredentials
    private let expected: PeerID?
    private let time: Int64
    let session: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private var hostKey: HostKey?
    private var refusal: TLSError?
    private var meter = TLSKeyMeter()

    /// Starts a session; a dialer's first bytes are available after ``advance()``.
    ///
    /// - Parameters:
    /// - credentials: This side's certificate and settings.
    /// - role: Which side this is.
    /// - expected: The peer that the other side must be; `nil` accepts any.
    ///   - time: Unix time in seconds, for the validity of the peer's certificate.
    /// - Throws: ``TLSError`` if OpenSSL has no memory.
    package init(
        credentials: TLSCredentials,
        role: Role,
        expecting expected: PeerID?,
        at time: Int64
    ) throws(TLSError) {
        self.credentials = credentials
        self.expected = expected
        self.time = time
        unsafe session = try credentials.makeSession()
        guard let input = unsafe BIO_new(BIO_s_mem()), let output = unsafe BIO_new(BIO_s_mem())
        else { preconditionFailure("no memory for two empty buffers") }
        unsafe self.input = input
        unsafe self.output = output
        // The session owns both buffers from here.
        unsafe SSL_set_bio(session, input, output)
        unsafe SSL_set_ex_data(session, 0, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_set_msg_callback(session, noteMessage)
        switch role {
        case .dialer: unsafe SSL_set_connect_state(session)
        case .listener: unsafe SSL_set_accept_state(session)
        }
    }

    deinit { unsafe SSL_free(session) }

    /// Passes in bytes from the socket.
    package func receive(_ bytes: ByteBuffer) {
        let written = unsafe bytes.withUnsafeReadableBytes { memory in
            unsafe BIO_write(input, memory.baseAddress, Int32(memory.count))
        }
        precondition(written == bytes.readableBytes, "a memory buffer takes everything")
    }

    /// Takes the bytes to send to the socket; `nil` if there are none.
    package func takeOutput(allocator: ByteBufferAllocator) -> ByteBuffer? {
        let pending = unsafe BIO_ctrl_pending(output)
        guard pending > 0 else { return nil }
        var buffer = allocator.buffer(capacity: pending)
        unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: pending) { memory in
            Int(unsafe BIO_read(output, memory.baseAddress, Int32(pending)))
        }
        return buffer
    }

    /// Continues the handshake as far as the received bytes allow.
    package func advance() throws(TLSError) -> Progress {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(session)
        guard result == 1 else {
            try check(result)
            return .shaking
        }
        guard let hostKey else { throw .noHostKey }
        return .secured(hostKey, applicationProtocol: applicationProtocol)
    }

    /// Decrypts into `bytes`, up to its count.
    package func read(into bytes: inout [UInt8]) throws(TLSError) -> ReadResult {
        ERR_clear_error()
        let result = unsafe bytes.withUnsafeMutableBytes { memory in
            unsafe SSL_read(session, memory.baseAddress, Int32(memory.count))
        }
        guard meter.isTolerable else { throw .tooManyKeyUpdates }
        if result > 0 {
            meter.received(byteCount: Int(result))
            return .bytes(count: Int(result))
        }
        return try check(result) == SSL_ERROR_ZERO_RETURN ? .ended : .needsMore
    }

    /// Encrypts all of `bytes`, or nothing.
    ///
    /// OpenSSL encrypts nothing while only a part of a message of the peer has arrived, such as
    /// half a change of its key.
    ///
    /// - Returns: `false` if nothing was encrypted; once more has been received, the caller must
    ///   pass the same bytes again, and can pass more after them.
    @discardableResult
    package func write(_ bytes: [UInt8]) throws(TLSError) -> Bool {
        guard !bytes.isEmpty else { return true }
        if meter.isKeyUsedUp(bySending: bytes.count) { try updateKey() }
        ERR_clear_error()
        let result = unsafe bytes.withUnsafeBytes { memory in
            unsafe SSL_write(session, memory.baseAddress, Int32(memory.count))
        }
        guard result <= 0 else { return true }
        try check(result)
        return false
    }

    /// Changes the key with which this side encrypts.
    ///
    /// Source: RFC 8446, sections 4.6.3 and 5.5.
    package func updateKey() throws(TLSError) {
        ERR_clear_error()
        guard unsafe SSL_key_update(session, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 else {
            throw .latest()
        }
        let result = unsafe SSL_do_handshake(session)
        if result != 1 { try check(result) }
    }

    fileprivate func noteUnasked() { meter.receivedUnasked() }

    /// Sends the closing alert, so that the peer knows that the end is not forged.
    package func sendGoAway() {
        ERR_clear_error()
        _ = unsafe SSL_shutdown(session)
        ERR_clear_error()
    }

    private var applicationProtocol: String {
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        unsafe SSL_get0_alpn_selected(session, &start, &count)
        let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a result that means waiting or the end, and throws any other.
    @discardableResult
    private func check(_ result: Int32) throws(TLSError) -> Int32 {
        let kind = unsafe SSL_get_error(session, result)
        switch kind {
        case SSL_ERROR_WANT_READ, SSL_ERROR_ZERO_RETURN: return kind
        default:
            if let refusal { throw refusal }
            throw .latest()
        }
    }

    /// Runs within the handshake, so that the peer receives an alert.
    fileprivate func accepts(_ store: OpaquePointer) -> Bool {
        do throws(TLSError) {
            let count = Int(unsafe stoa_certificate_count(store))
            guard count == 1, let shown = unsafe X509_STORE_CTX_get0_cert(store) else {
                throw .certificateCount(count)
            }
            guard TLSCredentials.applicationProtocols.contains(applicationProtocol) else {
                throw .wrongApplicationProtocol
            }
            let key = try unsafe CertificateCheck.hostKey(of: shown, at: time)
            if let expected, key.peer != expected { throw .wrongPeer(key.peer) }
            hostKey = key
            return true
        } catch {
            refusal = error
            return false
        }
    }

    fileprivate func choose(
        from offered: UnsafeBufferPointer<UInt8>,
        into chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>,
        _ count: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        // The dialer's order decides, so its list comes first.
        let outcome = unsafe credentials.protocolList.withUnsafeBufferPointer { ours in
            var found: UnsafeMutablePointer<UInt8>?
            let outcome = unsafe SSL_select_next_proto(
                &found,
                count,
                offered.baseAddress,
                UInt32(offered.count),
                ours.baseAddress,
                UInt32(ours.count)
            )
            unsafe chosen.pointee = UnsafePointer(found)
            return outcome
        }
        if outcome != OPENSSL_NPN_NEGOTIATED { refusal = .wrongApplicationProtocol }
        return outcome == OPENSSL_NPN_NEGOTIATED
    }

    fileprivate static func of(_ session: OpaquePointer?) -> TLSSession? {
        guard let found = unsafe SSL_get_ex_data(session, 0) else { return nil }
        return unsafe Unmanaged<TLSSession>.fromOpaque(found).takeUnretainedValue()
    }
}

/// OpenSSL's callback that accepts or refuses a peer's certificates; 1 accepts.
func checkPeerCertificate(_ store: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let store = unsafe store,
        let connection = unsafe X509_STORE_CTX_get_ex_data(
            store,
            SSL_get_ex_data_X509_STORE_CTX_idx()
        ),
        let session = unsafe TLSSession.of(OpaquePointer(connection))
    else { return 0 }
    guard unsafe session.accepts(store) else {
        unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        return 0
    }
    unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
    return 1
}

/// OpenSSL's callback by which a listener chooses one of the dialer's protocols.
func chooseApplicationProtocol(
    _ connection: OpaquePointer?,
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?,
    _ offeredCount: UInt32,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let session = unsafe TLSSession.of(connection), let chosen = unsafe chosen,
        let count = unsafe count
    else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    return unsafe session.choose(from: list, into: chosen, count)
        ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL
}

/// OpenSSL's callback for each message of the protocol.
///
/// Counts the two messages that a peer may send at any time after the handshake: changes of its
/// key, and tickets, which this node never uses.
func noteMessage(
    _ isWritten: Int32,
    _: Int32,
    _ contentType: Int32,
    _ bytes: UnsafeRawPointer?,
    _ count: Int,
    _ connection: OpaquePointer?,
    _: UnsafeMutableRawPointer?
) {
    guard isWritten == 0, contentType == SSL3_RT_HANDSHAKE, count > 0, let bytes = unsafe bytes
    else { return }
    let kind = Int32(unsafe bytes.load(as: UInt8.self))
    guard kind == SSL3_MT_KEY_UPDATE || kind == SSL3_MT_NEWSESSION_TICKET else { return }
    unsafe TLSSession.of(connection)?.noteUnasked()
}
