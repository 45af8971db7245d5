import Answers
package import Client
import Keys
import Market
package import Storage

/// An event of an account as it is stored, beside its number and time.
struct StoredEvent: Hashable {
    let type: String
    let subject: String
    let data: [String: String]
    let words: [Sentence]?
}

extension AccountEvent {
    /// Returns the event in the API's form.
    ///
    /// - Throws: `StoredValueError` if it is not stored in the form of the log.
    package func shown(_ number: UInt64) throws -> Client.Event {
        let event = try StoredEvent(storedBytes: bytes)
        return Event(
            id: number,
            time: time.date,
            type: event.type,
            subject: event.subject,
            data: event.data,
            words: event.words
        )
    }
}

extension StoredEvent: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(type)
        writer.write(subject)
        writer.write(data)
        writer.write(optional: words) { $0.write($1) }
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        (type, subject, data) = (try reader.text(), try reader.text(), try reader.texts())
        words = try reader.optional { reader throws(StoredValueError) in
            try reader.values(of: Sentence.self)
        }
    }
}
