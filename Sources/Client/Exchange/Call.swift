import NIOHTTP1

/// One request to the API.
struct Call: Sendable {
    let method: HTTPMethod
    let path: String
    var query: [(name: String, value: String?)] = []
    var body: [UInt8]?
    /// The same at each try, so that a repeat cannot do it twice.
    var key: IdempotencyKey?

    /// Whether it may be sent again when nobody knows whether it arrived.
    var mayRepeat: Bool { method == .GET || method == .DELETE || key != nil }
}

/// A caller's name for one act, by which the node knows a repeat of it.
///
/// The library makes one for each call and reuses it when it tries again. Keep one of your own
/// where you want to repeat a call after your program has crashed.
///
/// Source: IETF draft "The Idempotency-Key HTTP Header Field".
public struct IdempotencyKey: Hashable, Sendable {
    public let text: String

    /// Takes 1 to 64 characters.
    public init(_ text: String) { self.text = text }

    /// A new one that nobody can guess.
    public init() {
        let words = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
        text = words.map { String($0, radix: 36) }.joined(separator: "-")
    }
}
