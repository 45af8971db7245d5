import Keys

/// Reads answers to `eth_getLogs` that are written as endpoints write them: objects with each field
/// once, texts of ASCII without escapes, hexadecimal digits.
///
/// A first sync reads many events, and decoding them as JSON of any form took nearly half of it.
/// This reader takes a subset of JSON and gives the same events as the decoder; everything else,
/// including errors, is left to ``RPCCodec``, which can refuse it.
///
/// Sources: RFC 8259; JSON-RPC 2.0, section 5; Ethereum JSON-RPC specification, `eth_getLogs`.
struct PlainLogs {
    /// The answer is not of the subset.
    private struct NotPlain: Error {}

    private let bytes: [UInt8]
    private var place = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the events of an answer to the call with the id 0; `nil` if it is written otherwise.
    @Sendable
    static func events(in answer: [UInt8]) -> [ContractEvent]? {
        var reader = Self(answer)
        return try? reader.answer()
    }

    private mutating func answer() throws(NotPlain) -> [ContractEvent] {
        var (isVersioned, isNumbered) = (false, false)
        var events: [ContractEvent]?
        try object { reader, key throws(NotPlain) in
            if reader.reads("jsonrpc", at: key), !isVersioned {
                guard reader.reads("2.0", at: try reader.text()) else { throw NotPlain() }
                isVersioned = true
            } else if reader.reads("id", at: key), !isNumbered {
                guard reader.reads("0", at: try reader.scalar()) else { throw NotPlain() }
                isNumbered = true
            } else if reader.reads("result", at: key), events == nil {
                events = try reader.list { reader throws(NotPlain) in try reader.event() }
            } else {
                throw NotPlain()
            }
        }
        skipBlanks()
        guard isVersioned, isNumbered, let events, place == bytes.count else { throw NotPlain() }
        return events
    }

    private mutating func event() throws(NotPlain) -> ContractEvent {
        var (number, index): (UInt64?, UInt64?) = (nil, nil)
        var (block, transaction): (Bytes32?, Bytes32?) = (nil, nil)
        var (address, topics, data): (Address?, [Bytes32]?, [UInt8]?) = (nil, nil, nil)
        try object { reader, key throws(NotPlain) in
            if reader.reads("address", at: key), address == nil {
                guard let read = Address(try reader.hexBytes()) else { throw NotPlain() }
                address = read
            } else if reader.reads("topics", at: key), topics == nil {
                topics = try reader.list { reader throws(NotPlain) in try reader.hash() }
            } else if reader.reads("data", at: key), data == nil {
                data = try reader.hexBytes()
            } else if reader.reads("blockNumber", at: key), number == nil {
                number = try reader.number(most: ChainLimits.numberMax)
            } else if reader.reads("blockHash", at: key), block == nil {
                block = try reader.hash()
            } else if reader.reads("transactionHash", at: key), transaction == nil {
                transaction = try reader.hash()
            } else if reader.reads("logIndex", at: key), index == nil {
                index = try reader.number(most: ChainLimits.logIndexMax)
            } else if reader.reads("removed", at: key) {
                guard reader.reads("false", at: try reader.scalar()) else { throw NotPlain() }
            } else if reader.reads("transactionIndex", at: key)
                || reader.reads("blockTimestamp", at: key)
            {
                _ = try reader.text()
            } else {
                throw NotPlain()
            }
        }
        guard let number, let index, let block, let transaction, let address, let topics, let data,
            topics.count <= 4, data.count <= ChainLimits().logDataBytesMax
        else { throw NotPlain() }
        return ContractEvent(
            block: BlockID(number: number, hash: block),
            index: index,
            transaction: transaction,
            address: address,
            topics: topics,
            data: data
        )
    }

    // MARK: Values

    private mutating func hash() throws(NotPlain) -> Bytes32 {
        guard let hash = Bytes32(try hexBytes()) else { throw NotPlain() }
        return hash
    }

    private mutating func hexBytes() throws(NotPlain) -> [UInt8] {
        guard let bytes = Hex.decode(ascii: bytes[try digits()]) else { throw NotPlain() }
        return bytes
    }

    private mutating func number(most: UInt64) throws(NotPlain) -> UInt64 {
        let digits = try digits()
        guard (1...16).contains(digits.count) else { throw NotPlain() }
        var number: UInt64 = 0
        for place in digits {
            guard let value = Hex.value(of: bytes[place]) else { throw NotPlain() }
            number = number << 4 | UInt64(value)
        }
        guard number <= most else { throw NotPlain() }
        return number
    }

    /// Reads a text that begins with `0x`, and returns the position after the prefix.
    private mutating func digits() throws(NotPlain) -> Range<Int> {
        let text = try text()
        guard text.count >= 2, bytes[text.lowerBound] == UInt8(ascii: "0"),
            bytes[text.lowerBound + 1] == UInt8(ascii: "x"),
            // The decoder would take a second one for a prefix.
            text.count < 4 || bytes[text.lowerBound + 3] | 0x20 != UInt8(ascii: "x")
        else { throw NotPlain() }
        return text.lowerBound + 2..<text.upperBound
    }

    // MARK: JSON

    /// Reads an object; `field` reads the value of each key, which is at the given position.
    private mutating func object(
        _ field: (inout Self, Range<Int>) throws(NotPlain) -> Void
    ) throws(NotPlain) {
        try expect(UInt8(ascii: "{"))
        repeat {
            let key = try text()
            try expect(UInt8(ascii: ":"))
            try field(&self, key)
        } while try isMore(before: UInt8(ascii: "}"))
    }

    private mutating func list<Element>(
        _ element: (inout Self) throws(NotPlain) -> Element
    ) throws(NotPlain) -> [Element] {
        try expect(UInt8(ascii: "["))
        skipBlanks()
        if place < bytes.count, bytes[place] == UInt8(ascii: "]") {
            place += 1
            return []
        }
        var elements: [Element] = []
        repeat {
            elements.append(try element(&self))
        } while try isMore(before: UInt8(ascii: "]"))
        return elements
    }

    /// Reads a text, and returns its range without quotation marks.
    private mutating func text() throws(NotPlain) -> Range<Int> {
        try expect(UInt8(ascii: "\""))
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard (0x20...0x7E).contains(bytes[place]), bytes[place] != UInt8(ascii: "\\") else {
                throw NotPlain()
            }
            place += 1
        }
        guard place < bytes.count else { throw NotPlain() }
        place += 1
        return start..<place - 1
    }

    /// Reads letters and digits, such as those of a number or of `false`, and returns their range.
    private mutating func scalar() throws(NotPlain) -> Range<Int> {
        skipBlanks()
        let start = place
        while place < bytes.count, Self.isOfScalar(bytes[place]) { place += 1 }
        return start..<place
    }

    private static func isOfScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    /// Whether a comma follows, or the end.
    private mutating func isMore(before end: UInt8) throws(NotPlain) -> Bool {
        skipBlanks()
        guard place < bytes.count else { throw NotPlain() }
        defer { place += 1 }
        switch bytes[place] {
        case UInt8(ascii: ","): return true
        case end: return false
        default: throw NotPlain()
        }
    }

    private mutating func expect(_ byte: UInt8) throws(NotPlain) {
        skipBlanks()
        guard place < bytes.count, bytes[place] == byte else { throw NotPlain() }
        place += 1
    }

    private mutating func skipBlanks() {
        while place < bytes.count, Self.isBlank(bytes[place]) { place += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Whether these bytes are at a position.
    private func reads(_ word: StaticString, at range: Range<Int>) -> Bool {
        guard word.utf8CodeUnitCount == range.count else { return false }
        return word.withUTF8Buffer { word in
            for offset in 0..<range.count
            where unsafe word[offset] != bytes[range.lowerBound + offset] {
                return false
            }
            return true
        }
    }
}
