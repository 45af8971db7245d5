import Answers
import Client
import Keys
import Market

/// An event of an account as it is stored, beside its number and time.
struct StoredEvent: Hashable {
    let type: String
    let subject: String
    let data: [String: String]
    let words: [Sentence]?

    /// Returns the event in the API's form.
    func shown(_ number: UInt64, at time: Timestamp) -> Client.Event {
        Event(
            id: number,
            time: time.date,
            type: type,
            subject: subject,
            data: data,
            words: words
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
