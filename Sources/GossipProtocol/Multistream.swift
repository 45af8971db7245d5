/// Why a peer's negotiation of a protocol is refused.
package enum MultistreamOffence: String, Error, Hashable, Sendable {
    /// The first line is not multistream-select 1.0's.
    case wrongHeader
    /// A line is longer than any protocol's name.
    case lineTooLong
    /// A line has no line feed at its end, is empty, or is not text.
    case malformedLine
    /// The answer is neither the proposed protocol nor a refusal.
    case wrongAnswer
    /// More proposals than are answered.
    case tooManyProposals
    /// The peer ended before a protocol was agreed.
    case endedEarly
    /// The peer spoke before it was its turn.
    case spokeEarly
}

/// Negotiates the protocol of a connection or a stream with a peer.
///
/// Pure: pass in the bytes that arrived, and send what it returns. The dialer proposes in order of
/// preference, its first proposal together with its header, so one round trip is enough. A listener
/// answers everything that arrived together in one piece, and answers only a few proposals in all,
/// since each costs the peer only a few bytes.
///
/// Source: multistream-select 1.0, libp2p specs "connections", section "multistream-select".
package struct Multistream: Sendable {
    /// The handling of the bytes that arrived.
    package enum Directive: Equatable, Sendable {
        case send([UInt8])
        /// A protocol is agreed; `rest` belongs to it.
        case agreed(String, rest: [UInt8])
        /// The peer speaks none of this side's protocols. Final.
        case refused
        /// The peer broke a rule. Final.
        case offend(MultistreamOffence)
    }

    private enum Role {
        case dialer(rest: [String])
        case listener(proposalsLeft: Int)
    }

    private enum Phase {
        /// Waits for the peer's header. Becomes `proposing` or `ended`.
        case greeting
        /// Waits for a proposal or its answer. Becomes `ended`.
        case proposing
        case ended
    }

    package static let header = "/multistream/1.0.0"
    package static let refusal = "na"
    package static let lineBytesMax = 256
    /// Proposals that one side makes, and the other answers.
    package static let proposalsMax = 4

    private let protocols: [String]
    private var role: Role
    private var phase = Phase.greeting
    private var pending: [UInt8] = []

    private init(protocols: [String], role: Role) {
        self.protocols = protocols
        self.role = role
    }

    /// Proposes `protocols`, the best first.
    package static func dialer(_ protocols: [String]) -> Multistream {
        precondition(
            (1...proposalsMax).contains(protocols.count),
            "\(protocols.count) proposals agree on nothing"
        )
        return Multistream(protocols: protocols, role: .dialer(rest: protocols))
    }

    /// Accepts the first proposal that is among `protocols`.
    package static func listener(_ protocols: [String]) -> Multistream {
        Multistream(protocols: protocols, role: .listener(proposalsLeft: proposalsMax))
    }

    /// The bytes to send before anything arrives.
    package var opening: [UInt8] {
        switch role {
        case .dialer(let rest): Self.line(Self.header) + Self.line(rest[0])
        case .listener: Self.line(Self.header)
        }
    }

    /// Handles bytes that arrived; returns directives in order.
    ///
    /// Only the last may be final.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [Directive] {
        pending.append(contentsOf: bytes)
        var directives: [Directive] = []
        while true {
            if case .ended = phase { return directives }
            switch nextLine() {
            case .none: return directives
            case .failure(let offence): directives.append(end(.offend(offence)))
            case .success(let line):
                for directive in handle(line) { Self.add(directive, to: &directives) }
            }
        }
    }

    /// Appends a directive; merges it with the previous one if both send.
    private static func add(_ directive: Directive, to directives: inout [Directive]) {
        if case .send(let more) = directive, case .send(let bytes) = directives.last {
            directives[directives.count - 1] = .send(bytes + more)
        } else {
            directives.append(directive)
        }
    }

    package static func line(_ text: String) -> [UInt8] {
        precondition(text.utf8.count < lineBytesMax, "a protocol's name is short: \(text)")
        return Varint.encode(text.utf8.count + 1) + Array(text.utf8) + [UInt8(ascii: "\n")]
    }

    private mutating func handle(_ line: String) -> [Directive] {
        if case .greeting = phase {
            guard line == Self.header else { return [end(.offend(.wrongHeader))] }
            phase = .proposing
            return []
        }
        switch role {
        case .listener(let left): return answer(line, proposalsLeft: left)
        case .dialer(let rest): return weigh(line, proposed: rest)
        }
    }

    private mutating func answer(_ proposal: String, proposalsLeft: Int) -> [Directive] {
        guard proposalsLeft > 0 else { return [end(.offend(.tooManyProposals))] }
        if protocols.contains(proposal) {
            let rest = takeRest()
            return [.send(Self.line(proposal)), end(.agreed(proposal, rest: rest))]
        }
        role = .listener(proposalsLeft: proposalsLeft - 1)
        return [.send(Self.line(Self.refusal))]
    }

    private mutating func weigh(_ answer: String, proposed: [String]) -> [Directive] {
        if answer == proposed[0] { return [end(.agreed(answer, rest: takeRest()))] }
        guard answer == Self.refusal else { return [end(.offend(.wrongAnswer))] }
        guard proposed.count > 1 else { return [end(.refused)] }
        role = .dialer(rest: Array(proposed.dropFirst()))
        return [.send(Self.line(proposed[1]))]
    }

    private mutating func end(_ directive: Directive) -> Directive {
        phase = .ended
        pending = []
        return directive
    }

    private mutating func takeRest() -> [UInt8] {
        defer { pending = [] }
        return pending
    }

    private mutating func nextLine() -> Result<String, MultistreamOffence>? {
        switch Varint.read(pending[...]) {
        case .unfinished: return nil
        case .malformed: return .failure(.malformedLine)
        case .number(let length, let prefix):
            guard length <= UInt64(Self.lineBytesMax) else { return .failure(.lineTooLong) }
            let end = prefix + Int(length)
            guard pending.count >= end else { return nil }
            let body = pending[prefix..<end]
            guard body.count > 1, body.last == UInt8(ascii: "\n"),
                let text = String(validating: body.dropLast(), as: UTF8.self)
            else { return .failure(.malformedLine) }
            pending.removeFirst(end)
            return .success(text)
        }
    }
}
