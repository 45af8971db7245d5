import Answers
import Client
import Foundation

/// Which events a client asks for.
struct EventQuery: Equatable {
    let source: EventSource
    /// The last event seen; `nil` for new ones only.
    let after: UInt64?

    /// Reads the query of a request for ``EventSocket/path``.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for a query that the call does not take.
    init(_ uri: String) throws(Refusal) {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            (source, after) = (.account, nil)
            return
        }
        try QueryCheck.check(String(parts[1]), of: API.node.events.facts)
        var values: [Substring: Substring] = [:]
        for pair in parts[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[sides[0]] = sides.last
        }
        source = try Self.source(values["of"])
        after = try Self.number(values["after"])
    }

    private static func source(_ text: Substring?) throws(Refusal) -> EventSource {
        guard let text else { return .account }
        guard let source = EventSource(rawValue: String(text)) else {
            let known = EventSource.allCases.map(\.rawValue).joined(separator: ", ")
            throw Refusal(
                .malformedValue,
                Sentence("refusal.oneOf", ["field": "of", "values": known]),
                field: "of"
            )
        }
        return source
    }

    private static func number(_ text: Substring?) throws(Refusal) -> UInt64? {
        guard let text else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(text)
        else {
            throw Refusal(.malformedValue, Sentence("refusal.afterOfEvent"), field: "after")
        }
        return number
    }
}
