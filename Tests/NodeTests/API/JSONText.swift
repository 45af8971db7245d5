import Foundation
import Setup

/// A JSON text in parts, each of which can be replaced by what JSON or the API does not allow.
indirect enum JSONText: Sendable {
    /// Written as it stands.
    case raw(String)
    case list([JSONText])
    case object([String: JSONText])

    /// What fits next to nothing the API takes.
    static let odd = [
        "null", "true", "-1", "0", "1e400", "1e-400", "-0.5", "18446744073709551616",
        "340282366920938463463374607431768211456", "[]", "{}", #""""#, #"" ""#, #""-1""#,
        #""\u0000""#, #""\u202e\u0007\n""#, #""\ud800""#, #""0x""#, #""💥é""#,
        "\"" + String(repeating: "x", count: 100_000) + "\"",
        String(repeating: "[", count: 200) + String(repeating: "]", count: 200), "nul",
    ]

    /// What is no body of any call.
    static let oddBodies: [[UInt8]] =
        [
            "", " ", "{", "}", "[", "[]", "{}", "null", "1", #""x""#, "{\"a\":1}", "\u{FEFF}{}",
            #"{"name":"a","name":"b"}"#, "{}{}",
        ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0]]

    /// The same, as long as a body can be and longer.
    static let longBodies: [[UInt8]] =
        [String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 40_000)]
        .map { Array($0.utf8) } + [Array(repeating: 0x7B, count: 300_000)]

    /// Takes apart what `JSONSerialization` read.
    init(_ value: Any) {
        switch value {
        case let object as [String: Any]: self = .object(object.mapValues(JSONText.init))
        case let list as [Any]: self = .list(list.map(JSONText.init))
        case let number as NSNumber: self = .raw("\(number)")
        default: self = .raw(Self.quoted("\(value)"))
        }
    }

    /// The same with what an example leaves out: a listing's place and terms.
    var filled: JSONText {
        guard case .object(var parts) = self, parts["price"] != nil else { return self }
        parts["pickupPlace"] = .raw(#""Harbour 4""#)
        let amounts = ["sellerDeposit", "buyerDeposit", "latePenalty", "arbiterFee"]
        let numbers = ["shipSeconds", "confirmSeconds", "rulingSeconds", "offerUntil"]
        let terms =
            amounts.map { ($0, JSONText.raw(#""1""#)) }
            + numbers.map { ($0, JSONText.raw("86400")) } + [("arbiter", JSONText.raw("null"))]
        parts["terms"] = .object(Dictionary(uniqueKeysWithValues: terms))
        return .object(parts)
    }

    var text: String {
        switch self {
        case .raw(let text): text
        case .list(let parts): "[" + parts.map(\.text).joined(separator: ",") + "]"
        case .object(let parts):
            "{"
                + parts.sorted { $0.key < $1.key }
                .map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    /// The same with one part left out, or replaced by something odd, in every way.
    var variants: [JSONText] {
        let whole = Self.odd.map { JSONText.raw($0) }
        switch self {
        case .raw: return whole
        case .list(let parts):
            return whole
                + parts.indices.flatMap { place in
                    parts[place].variants.map { part in
                        var changed = parts
                        changed[place] = part
                        return JSONText.list(changed)
                    }
                }
        case .object(let parts):
            return whole + parts.keys.sorted().flatMap { Self.variants(of: $0, in: parts) }
        }
    }

    private static func variants(of name: String, in parts: [String: JSONText]) -> [JSONText] {
        var without = parts
        let part = without.removeValue(forKey: name)
        let changed = (part?.variants ?? []).map { variant in
            var changed = parts
            changed[name] = variant
            return JSONText.object(changed)
        }
        return [.object(without)] + changed
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\"", "\\": "\\\(character)"
            case "\n": "\\n"
            default: "\(character)"
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
