import NIOHTTP1

/// One request to the API.
struct Call: Sendable {
    /// A parameter and its value; one without a value is left out.
    typealias QueryItem = (name: String, value: String?)

    let method: HTTPMethod
    /// The path in the form of a URL; see ``part(_:)``.
    let path: String
    var query: [QueryItem] = []
    var body: [UInt8]?
    var bodyType = "application/json"
    /// Called with the number of bytes of the body that are on their way, again from 0 at each
    /// attempt.
    var progress: (@Sendable (Int) -> Void)?
    var accepts = "application/json, application/problem+json"
    /// The maximum number of bytes of its answer, if it differs from the usual one.
    var answerBytesMax: Int?
    /// Whether a repeat does nothing more, although it changes something.
    var isRepeatable = false
    /// The same at each attempt, so that a repeat does not act twice.
    var key: IdempotencyKey?

    /// Makes a request of a call of the API, without a body.
    ///
    /// - Throws: ``ClientError/badID(_:)`` if no path can hold the id.
    init(_ facts: CallFacts, at id: String?, query: [QueryItem] = []) throws(ClientError) {
        method = HTTPMethod(rawValue: facts.method.rawValue.uppercased())
        path = "/v1/" + facts.path.replacing("{id}", with: try id.map(Self.part) ?? "")
        self.query = query
        if facts.takesFile { (bodyType, isRepeatable) = ("application/octet-stream", true) }
        if facts.givesFile { accepts = "*/*" }
    }

    /// Returns an id as one part of a path, whatever characters it has.
    ///
    /// Source: RFC 3986, section 2.3.
    ///
    /// - Throws: ``ClientError/badID(_:)`` if no path can hold it.
    static func part(_ id: String) throws(ClientError) -> String {
        guard !id.isEmpty, id != ".", id != ".." else { throw .badID(id) }
        return id.utf8.map { byte in
            let isPlain =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "~"):
                    true
                default: false
                }
            guard !isPlain else { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "%0" + digits : "%" + digits
        }.joined()
    }

    /// Whether it can be sent again if it is unknown whether it arrived.
    var mayRepeat: Bool { method == .GET || method == .DELETE || key != nil || isRepeatable }
}

/// A caller's name for one request, which lets the node recognise a repeat.
///
/// The library makes one for each call, and reuses it when it tries again. Keep a key of your own
/// if you want to repeat a call after your program has crashed.
///
/// Source: IETF draft "The Idempotency-Key HTTP Header Field".
public struct IdempotencyKey: Hashable, Sendable {
    public let text: String

    /// Takes 1 to 64 characters.
    public init(_ text: String) { self.text = text }

    /// Makes a new one that nobody can guess.
    public init() {
        let words = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
        text = words.map { String($0, radix: 36) }.joined(separator: "-")
    }
}
