@testable import GossipProtocol

// The state machines of a link, which must not care how bytes are cut into pieces. Gossip is
// imported as testable, because only its links see how many bytes a multiplexer holds.

extension FuzzTarget {
    /// The lengths of the pieces, in the first byte, then what a peer sends.
    static let yamux = FuzzTarget("yamux") { bytes in
        guard let first = bytes.first else { return false }
        let input = bytes.dropFirst()
        var isTaken = false
        for role in [Yamux.Role.dialer, .listener] {
            var (whole, cut) = (MultiplexedPeer(role), MultiplexedPeer(role))
            whole.receive(input)
            for piece in pieces(of: input, Int(first)) { cut.receive(piece) }
            try hold(cut.events == whole.events, "frames do not depend on pieces")
            isTaken = isTaken || whole.isHeard
            var reader = MultiplexedPeer(role)
            try reader.converse(pieces(of: input, Int(first)))
        }
        return isTaken
    }

    /// The lengths of the pieces, in the first byte, then what a peer sends.
    static let negotiation = FuzzTarget("negotiation", byteCountMax: 1_024) { bytes in
        guard let first = bytes.first else { return false }
        let input = bytes.dropFirst()
        let protocols = ["/stoa/mail/1", "/stoa/blob/1"]
        var isTaken = false
        for side in [Multistream.dialer(protocols), .listener(protocols)] {
            let whole = Agreement(side, of: [input])
            let cut = Agreement(side, of: pieces(of: input, Int(first)))
            try hold(cut == whole, "an agreement does not depend on pieces")
            isTaken = isTaken || whole.agreed != nil
        }
        let whole = messages(in: [input])
        let cut = messages(in: pieces(of: input, Int(first)))
        try hold(cut == whole, "messages do not depend on pieces")
        return isTaken
    }

    private static func pieces(of input: ArraySlice<UInt8>, _ count: Int) -> [ArraySlice<UInt8>] {
        let count = max(1, count)
        return stride(from: input.startIndex, to: input.endIndex, by: count).map {
            input[$0..<min($0 + count, input.endIndex)]
        }
    }

    private static func messages(in pieces: [ArraySlice<UInt8>]) -> [MessageSplitter.Outcome] {
        var splitter = MessageSplitter(bytesMax: 512)
        var outcomes: [MessageSplitter.Outcome] = []
        for piece in pieces {
            splitter.append(Array(piece))
            while true {
                let outcome = splitter.next()
                if outcome == .needsMore { break }
                outcomes.append(outcome)
                guard case .message = outcome else { return outcomes }
            }
        }
        return outcomes
    }
}

/// A multiplexer, and what it said.
private struct MultiplexedPeer {
    /// What it said, with the bytes themselves.
    enum Event: Equatable {
        case said(Yamux.Directive)
        case delivered(YamuxStreamID, [UInt8])
        case offend(YamuxOffence)
    }

    private(set) var events: [Event] = []
    private var yamux: Yamux
    private var open: [YamuxStreamID] = []
    private var isOver = false

    init(_ role: Yamux.Role) {
        yamux = Yamux(role: role, limits: YamuxLimits())
        // Streams of this side's own, about which a peer can say something too.
        for _ in 0..<2 { open += yamux.open(at: .start).map { [$0.stream] } ?? [] }
    }

    /// Whether it took a frame that says something.
    var isHeard: Bool { events.contains { if case .offend = $0 { false } else { true } } }

    mutating func receive(_ input: ArraySlice<UInt8>) {
        guard !isOver else { return }
        for directive in yamux.receive(input, at: .start) {
            switch directive {
            case .deliver(let id, let range):
                if case .delivered(id, let before)? = events.last {
                    events[events.count - 1] = .delivered(id, before + input[range])
                } else {
                    events.append(.delivered(id, Array(input[range])))
                }
            case .offend(let offence):
                isOver = true
                events.append(.offend(offence))
            default: events.append(.said(directive))
            }
        }
    }

    /// Reads what comes, answers it, and closes everything at the end.
    mutating func converse(_ pieces: [ArraySlice<UInt8>]) throws(FuzzFault) {
        for (number, piece) in pieces.enumerated() {
            let now = Moment(sinceStart: .milliseconds(number))
            for directive in yamux.receive(piece, at: now) {
                switch directive {
                case .opened(let id): open.append(id)
                case .deliver(let id, let range):
                    // Every third piece is read while room is short.
                    let growth: WindowGrowth = number % 3 == 2 ? .shrink : .upTo(1 << 20)
                    _ = yamux.consumed(range.count, on: id, growth: growth, at: now)
                    let count = min(range.count, yamux.sendable(on: id))
                    if count > 0 { _ = yamux.dataFrame(on: id, byteCount: count) }
                case .finished(let id): _ = yamux.finish(id)
                case .offend, .silent: return
                default: break
                }
            }
            _ = yamux.tick(at: now, number: UInt32(number))
        }
        for id in open { _ = yamux.reset(id) }
        try hold(yamux.allowanceHeld == 0, "streams that have ended hold no allowance")
        try hold(yamux.streamCount == 0, "no stream is left that was never told of")
    }
}

/// What a negotiation came to.
private struct Agreement: Equatable {
    private(set) var agreed: String?
    private(set) var rest: [UInt8] = []
    private(set) var sent: [UInt8] = []
    private(set) var offence: MultistreamOffence?
    private(set) var isRefused = false

    init(_ side: Multistream, of pieces: [ArraySlice<UInt8>]) {
        var side = side
        for piece in pieces {
            // What comes after an agreement belongs to the protocol.
            guard agreed == nil else {
                rest += piece
                continue
            }
            for directive in side.receive(piece) {
                switch directive {
                case .send(let bytes): sent += bytes
                case .agreed(let name, let rest): (agreed, self.rest) = (name, rest)
                case .refused: isRefused = true
                case .offend(let offence): self.offence = offence
                }
            }
        }
    }
}
