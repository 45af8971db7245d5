import GossipProtocol
import NIOCore
import Synchronization

/// Admits sockets to handshakes and links, and frees their slots when they close.
///
/// Source: Docs/protocol.md, section 7.5.
final class Admission: Sendable {
    private let table: Mutex<AdmissionTable>
    private let pace: Mutex<HandshakePace>
    /// Places whose handshakes may be evicted to make room for others.
    private let places = Mutex<[UInt64: WeakSlot]>([:])

    private struct WeakSlot: Sendable {
        weak let place: AdmissionSlot?
    }

    init(limits: LinkLimits) {
        table = Mutex(AdmissionTable(limits: limits))
        pace = Mutex(HandshakePace(limits: limits))
    }

    /// Admits a new socket to its handshake, and evicts another handshake if that is needed.
    ///
    /// `source` is the remote address; `nil` for a socket that this node opened.
    ///
    /// - Throws: ``LinkError/full(_:)``
    func begin(
        from source: IPAddress?,
        at now: Moment = .ofEventLoops
    ) throws(LinkError) -> AdmissionSlot {
        if let source, !pace.withLock({ $0.admits(AddressGroup(source), at: now) }) {
            throw .full(.handshakesOfOneAddress)
        }
        return try place(table.withLock { $0.begin(from: source) })
    }

    /// Admits a socket that this node opens to an address that another peer reported.
    ///
    /// - Throws: ``LinkError/full(_:)``
    func beginReported() throws(LinkError) -> AdmissionSlot {
        try place(table.withLock { $0.beginReported() })
    }

    private func place(_ decision: AdmissionTable.Decision) throws(LinkError) -> AdmissionSlot {
        switch decision {
        case .refused(let limit): throw .full(limit)
        case .admitted(let id, let evicted):
            let place = AdmissionSlot(id: id, admission: self)
            let victim = places.withLock { places in
                places[id] = WeakSlot(place: place)
                return evicted.flatMap { places.removeValue(forKey: $0)?.place }
            }
            victim?.evict()
            return place
        }
    }

    fileprivate func open(_ id: UInt64) -> LinkLimit? { table.withLock { $0.open(id) } }

    fileprivate func end(_ id: UInt64) {
        table.withLock { $0.end(id) }
        places.withLock { $0[id] = nil }
    }
}

/// The slot of one socket among the handshakes and links; its `deinit` frees the slot.
final class AdmissionSlot: Sendable {
    private enum State {
        case held(onEviction: (@Sendable () -> Void)?)
        case evicted
        case ended
    }

    private let id: UInt64
    private let admission: Admission
    private let state = Mutex(State.held(onEviction: nil))

    fileprivate init(id: UInt64, admission: Admission) {
        (self.id, self.admission) = (id, admission)
    }

    deinit { admission.end(id) }

    /// Turns the finished handshake into a link; returns the limit that forbids it, if one does.
    ///
    /// Also `nil` if the socket is closed already: its own end carries the reason.
    func open() -> LinkLimit? {
        let isEnded = state.withLock { if case .ended = $0 { true } else { false } }
        return isEnded ? nil : admission.open(id)
    }

    /// Calls `body` once if this handshake is evicted, even if that has already happened.
    func onEviction(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            switch state {
            case .held:
                state = .held(onEviction: body)
                return false
            case .evicted: return true
            case .ended: return false
            }
        }
        if isLate { body() }
    }

    /// Frees the slot of a closed socket.
    func end() {
        state.withLock { $0 = .ended }
        admission.end(id)
    }

    fileprivate func evict() {
        let body: (@Sendable () -> Void)? = state.withLock { state in
            guard case .held(let body) = state else { return nil }
            state = .evicted
            return body
        }
        body?()
    }
}
