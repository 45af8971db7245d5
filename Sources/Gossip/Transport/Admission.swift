import NIOCore
import Synchronization

/// Gives sockets their places, and takes a place back when its socket is closed.
///
/// Source: Docs/protocol.md, section 7.5.
final class Admission: Sendable {
    private let table: Mutex<AdmissionTable>
    private let pace: Mutex<HandshakePace>
    /// Places whose handshakes may have to make room for others.
    private let places = Mutex<[UInt64: WeakSlot]>([:])

    private struct WeakSlot: Sendable {
        weak let place: AdmissionSlot?
    }

    init(limits: LinkLimits) {
        table = Mutex(AdmissionTable(limits: limits))
        pace = Mutex(HandshakePace(limits: limits))
    }

    /// Takes a new socket into its handshake; one that has to make room for it is ended.
    ///
    /// `source` is where it comes from; `nil` for a socket this node opened.
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

    /// Takes a socket that this node opens on a stranger's word.
    ///
    /// - Throws: ``LinkError/full(_:)``
    func beginTold() throws(LinkError) -> AdmissionSlot {
        try place(table.withLock { $0.beginTold() })
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

/// One socket's place among the handshakes and links; its end frees the place.
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

    /// The handshake is done; answers why it may not become a link, if it may not.
    ///
    /// `nil` also if the socket is closed already: why, its own end tells.
    func open() -> LinkLimit? {
        let isEnded = state.withLock { if case .ended = $0 { true } else { false } }
        return isEnded ? nil : admission.open(id)
    }

    /// Calls `body` once if this handshake has to make room for another, also if it has already.
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

    /// The socket is closed.
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
