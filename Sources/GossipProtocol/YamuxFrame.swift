/// The twelve-byte header of each frame of the multiplexer.
///
/// Source: hashicorp/yamux spec.md, section "Framing".
package struct YamuxFrame: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case data = 0
        case windowUpdate = 1
        case ping = 2
        case goAway = 3
    }

    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let open = Flags(rawValue: 1)
        package static let acknowledge = Flags(rawValue: 2)
        package static let finish = Flags(rawValue: 4)
        package static let reset = Flags(rawValue: 8)
        package static let known: Flags = [.open, .acknowledge, .finish, .reset]
    }

    package static let byteCount = 12

    package let kind: Kind
    package let flags: Flags
    package let stream: UInt32
    /// By `kind`: length of the data, window to add, a ping's number, or a reason.
    package let value: UInt32

    package init(kind: Kind, flags: Flags = [], stream: UInt32 = 0, value: UInt32 = 0) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.value = value
    }

    /// Reads exactly twelve bytes.
    package init(_ bytes: ArraySlice<UInt8>) throws(YamuxOffence) {
        precondition(bytes.count == Self.byteCount, "a header of \(bytes.count) bytes")
        let start = bytes.startIndex
        func number(at offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + offset + $1]) }
        }
        guard bytes[start] == 0 else { throw .unknownVersion }
        guard let kind = Kind(rawValue: bytes[start + 1]) else { throw .unknownKind }
        flags = Flags(rawValue: UInt16(bytes[start + 2]) << 8 | UInt16(bytes[start + 3]))
        guard Flags.known.isSuperset(of: flags) else { throw .unknownFlags }
        self.kind = kind
        stream = number(at: 4)
        value = number(at: 8)
        let isOfSession = kind == .ping || kind == .goAway
        guard isOfSession == (stream == 0) else { throw .wrongStreamNumber }
        // No implementation opens and acknowledges in one frame, or pings without asking or
        // answering.
        let asking = flags.intersection([.open, .acknowledge])
        guard asking != [.open, .acknowledge], kind != .ping || !asking.isEmpty else {
            throw .wrongFlags
        }
    }

    package var bytes: [UInt8] {
        func split(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return [0, kind.rawValue, UInt8(flags.rawValue >> 8), UInt8(flags.rawValue & 0xFF)]
            + split(stream) + split(value)
    }
}

/// A violation of the multiplexer's rules, which ends the link.
package enum YamuxOffence: String, Error, Hashable, Sendable {
    case unknownVersion
    case unknownKind
    case unknownFlags
    /// Flags that contradict each other, or a ping without one.
    case wrongFlags
    /// A session frame names a stream, or a stream frame none.
    case wrongStreamNumber
    /// The peer opened a stream with a number of this side, or one that is open.
    case wrongOpening
    /// A frame for a stream that was never opened.
    case unknownStream
    /// More data than the window allows.
    case windowOverrun
    /// Window added beyond the range of the number.
    case windowOverflow
    /// Data after the peer closed its half.
    case dataAfterFinish
    /// The peer closed its half of a stream twice.
    case finishedTwice
    /// The peer kept opening streams that were refused.
    case tooManyStreams
    /// The peer makes this side answer, and does not read the answers.
    case unreadAnswers
}
