import ArgumentParser
import Foundation
import Setup

/// Asks on a terminal for what a command cannot do without, and refuses the command elsewhere.
enum Needs {
    /// Whether a person is there to answer.
    static func canAsk(asJSON isJSON: Bool, isAgreed: Bool = false) -> Bool {
        Terminal.isInteractive && !isJSON && !isAgreed
    }

    /// Refuses a command that lacks something, unless a person can be asked.
    ///
    /// - Parameters:
    ///   - options: As the usage shows them, each with whether it was given.
    ///   - canAsk: Whether a person is there to answer.
    /// - Throws: `ValidationError` that names all that is missing.
    static func check(_ options: KeyValuePairs<String, Bool>, canAsk: Bool) throws {
        let missing = options.filter { !$0.value }.map { "'\($0.key)'" }
        guard !missing.isEmpty, !canAsk else { return }
        throw ValidationError(
            "Missing expected argument\(missing.count == 1 ? "" : "s") "
                + missing.joined(separator: ", ")
        )
    }

    /// Asks until `read` makes a value of the answer.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - form: The form of an answer, such as "a whole number".
    ///   - refusal: Why the command ends if the input ends.
    ///   - read: Makes the value; `nil` or a refusal asks again.
    /// - Returns: The value.
    /// - Throws: ``Failure`` if the input ends.
    static func answer<Value>(
        _ question: String,
        form: String = "an answer",
        orElse refusal: String = "Nothing was done.",
        _ read: (String) async throws -> Value?
    ) async throws -> Value {
        let answer: Value? = try await Terminal.answer(question) { typed in
            let text = typed.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty else {
                throw ValidationError("Type \(form), or Ctrl-C to end without anything done.")
            }
            guard let value = try await read(text) else {
                throw ValidationError("\(text.quoted) is not \(form).")
            }
            return value
        }
        guard let answer else { throw Failure(.usage, refusal) }
        return answer
    }
}
