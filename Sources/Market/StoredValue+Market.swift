package import Keys
package import Texts

extension StoredWriter {
    package mutating func write(_ amount: Amount) { write(amount.minimalBytes) }
    package mutating func write(_ time: Timestamp) { write(time.milliseconds) }

    /// Writes texts with their names, in the order of the names.
    package mutating func write(_ texts: [String: String]) {
        write(UInt64(texts.count))
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            write(name)
            write(text)
        }
    }
}

extension StoredReader {
    package mutating func amount() throws(StoredValueError) -> Amount {
        guard let amount = Amount(bigEndian: try content()) else { throw .unknownForm(0xFE) }
        return amount
    }

    package mutating func time() throws(StoredValueError) -> Timestamp {
        Timestamp(milliseconds: try number())
    }

    package mutating func texts() throws(StoredValueError) -> [String: String] {
        var texts: [String: String] = [:]
        for _ in 0..<(try number()) { texts[try text()] = try text() }
        return texts
    }
}

/// With its English text: a later version may have another pattern for the code.
extension Sentence: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(code)
        writer.write(values)
        writer.write(detail)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        self.init(code: try reader.text(), values: try reader.texts(), detail: try reader.text())
    }
}
