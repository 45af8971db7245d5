import Answers
import Client
import Foundation
import Keys
import Setup

/// The fields of a request's body, derived from its type.
///
/// A field that is ignored would silently change the request, such as a misspelt term of a sale.
indirect enum BodyShape: Sendable {
    case object([String: BodyShape])
    case list(BodyShape)
    /// A whole number that is not negative.
    case number
    /// Faults that only the decoder checks.
    case value

    private static let shapes: [String: BodyShape] = {
        let types = API.all.filter(\.takesJSON).map(\.input)
        return types.reduce(into: [:]) { $0["\($1)"] = BodyShape($1) }
    }()

    /// The shape of the type of this name; `nil` if no call takes it.
    static func of(_ name: String) -> BodyShape? { shapes[name] }

    private init(_ type: any Decodable.Type) {
        self =
            switch WireType(type) {
            case .object:
                .object(
                    TypeField.all(of: type).reduce(into: [:]) { $0[$1.name] = BodyShape($1.type) }
                )
            case .list(let element): .list(BodyShape(element))
            case .integer: .number
            case .text, .time, .flag, .decimal, .texts, .map: .value
            }
    }

    /// Refuses a body with a field that is unknown or there twice, or a number that is negative,
    /// broken or too large.
    ///
    /// A value of another type is left to the decoder, which skips the fields that it does not
    /// know.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` and the field at fault, or with
    ///   `malformed_json`.
    func check(_ body: Data) throws(Refusal) {
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        } catch {
            throw Refusal(
                .malformedJSON,
                forPrograms:
                    "The body is not valid JSON, or has a number or a character that does not exist."
            )
        }
        guard Self.fieldCount(of: value) == Self.fieldCount(in: body) else {
            throw Refusal(
                .malformedJSON,
                forPrograms: "The body has a field twice. Send each field once."
            )
        }
        try check(value, at: "")
    }

    /// Returns the number of fields of all objects in a value; of a field that was there twice,
    /// only one is left.
    private static func fieldCount(of value: Any) -> Int {
        switch value {
        case let object as [String: Any]:
            object.values.reduce(object.count) { $0 + fieldCount(of: $1) }
        case let list as [Any]: list.reduce(0) { $0 + fieldCount(of: $1) }
        default: 0
        }
    }

    /// Returns the number of fields that a valid JSON text has: one for each colon outside of
    /// texts.
    private static func fieldCount(in body: Data) -> Int {
        var (count, isText, isEscaped) = (0, false, false)
        for byte in body {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: ":") where !isText: count += 1
            default: break
            }
        }
        return count
    }

    private func check(_ value: Any, at place: String) throws(Refusal) {
        switch (self, value) {
        case (.object(let fields), let object as [String: Any]):
            for (name, part) in object.sorted(by: { $0.key < $1.key }) {
                let path = place.isEmpty ? name : "\(place).\(name)"
                guard let shape = fields[name] else {
                    throw Self.unknown(name, at: path, in: place, fields)
                }
                try shape.check(part, at: path)
            }
        case (.list(let shape), let list as [Any]):
            for part in list { try shape.check(part, at: place) }
        case (.number, let number as NSNumber) where !Self.isBoolean(number):
            guard UInt64(number.stringValue) == nil else { return }
            throw Refusal(
                .malformedValue,
                forPrograms: "\(place.quoted) must be a whole number from 0 to \(UInt64.max).",
                field: place
            )
        default: return
        }
    }

    /// Returns whether a number is JSON's `true` or `false`; Foundation reads both `true` and `1`
    /// as an `NSNumber`.
    private static func isBoolean(_ number: NSNumber) -> Bool {
        unsafe String(cString: number.objCType) == "c"
    }

    private static func unknown(
        _ name: String,
        at path: String,
        in place: String,
        _ fields: [String: BodyShape]
    ) -> Refusal {
        let taken = fields.keys.sorted().joined(separator: ", ")
        let owner = place.isEmpty ? "This call" : place.quoted
        return Refusal(
            .malformedValue,
            forPrograms: "\(owner) has no field \(name.quoted); "
                + (taken.isEmpty ? "it has none at all." : "it has \(taken)."),
            field: UntrustedText.line(path)
        )
    }
}
