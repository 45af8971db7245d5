/// The outline of a JSON-RPC message: the positions of the ids of its parts.
///
/// Reads only as much of a message as is needed to match it to a request. The message is untrusted:
/// faults that are not found here are found by the decoder that reads all of it.
///
/// Source: JSON-RPC 2.0, sections 4 to 6; RFC 8259.
package struct RPCEnvelope: Equatable, Sendable {
    /// A call, an answer or a notification.
    package struct Part: Equatable, Sendable {
        /// The bytes of its id, as written; `nil` without one.
        package var id: Range<Int>?
        /// Whether it names a method, as calls and notifications do.
        package var hasMethod = false
    }

    package private(set) var isBatch = false
    package private(set) var parts: [Part] = []

    /// Reads the outline; `nil` if the message is not an object or a list of at most `partsMax`
    /// objects.
    package init?(of bytes: [UInt8], partsMax: Int) {
        var reader = Reader(bytes: bytes)
        reader.skipSpace()
        if reader.take(UInt8(ascii: "[")) {
            isBatch = true
            reader.skipSpace()
            if !reader.take(UInt8(ascii: "]")) {
                repeat {
                    guard parts.count < partsMax, let part = reader.part() else { return nil }
                    parts.append(part)
                } while reader.takeComma()
                guard reader.take(UInt8(ascii: "]")) else { return nil }
            }
        } else {
            guard let part = reader.part() else { return nil }
            parts = [part]
        }
        reader.skipSpace()
        guard reader.isAtEnd else { return nil }
    }

    /// Walks over JSON without decoding it.
    private struct Reader {
        let bytes: [UInt8]
        private var place = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { place == bytes.count }

        mutating func skipSpace() {
            while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) {
                place += 1
            }
        }

        mutating func take(_ byte: UInt8) -> Bool {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
            return true
        }

        mutating func takeComma() -> Bool {
            skipSpace()
            return take(UInt8(ascii: ","))
        }

        /// Reads an object's outline; `nil` if it is not an object, or names its id twice.
        mutating func part() -> Part? {
            skipSpace()
            guard take(UInt8(ascii: "{")) else { return nil }
            var part = Part()
            skipSpace()
            if take(UInt8(ascii: "}")) { return part }
            repeat {
                skipSpace()
                guard let key = string() else { return nil }
                skipSpace()
                guard take(UInt8(ascii: ":")) else { return nil }
                skipSpace()
                guard let value = value() else { return nil }
                if bytes[key].elementsEqual("\"id\"".utf8) {
                    guard part.id == nil else { return nil }
                    part.id = value
                } else if bytes[key].elementsEqual("\"method\"".utf8) {
                    part.hasMethod = true
                }
            } while takeComma()
            return take(UInt8(ascii: "}")) ? part : nil
        }

        private mutating func string() -> Range<Int>? {
            let start = place
            guard take(UInt8(ascii: "\"")) else { return nil }
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                if byte == UInt8(ascii: "\"") { return start..<place }
                if byte == UInt8(ascii: "\\") { place += 1 }
            }
            return nil
        }

        /// Skips a value of any depth, by counting brackets outside of strings.
        private mutating func value() -> Range<Int>? {
            let start = place
            var depth = 0
            while place < bytes.count {
                switch bytes[place] {
                case UInt8(ascii: "\""):
                    guard string() != nil else { return nil }
                    if depth == 0 { return start..<place }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return start == place ? nil : start..<place }
                    depth -= 1
                    if depth == 0 {
                        place += 1
                        return start..<place
                    }
                case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                    if depth == 0 { return start == place ? nil : start..<place }
                default: break
                }
                place += 1
            }
            return nil
        }
    }
}
