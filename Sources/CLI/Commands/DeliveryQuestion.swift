import ArgumentParser
import Foundation

/// The questions to a seller of goods who has not said how a buyer gets them.
///
/// Without an answer the listing would promise to ship to every country.
enum DeliveryQuestion {
    /// A seller's answers.
    struct Answers {
        let delivery: String
        var pickupPlace: String?
        /// Empty for all countries.
        var shipsTo: [String] = []
        var media: [String] = []
    }

    private static let refusal = "Nothing was listed."

    /// Asks on the terminal.
    ///
    /// - Throws: ``Failure`` if the input ends.
    static func asked() async throws -> Answers {
        let delivery = try await Needs.answer(
            "How does the buyer get it, by shipping or by pickup: ",
            form: "'shipping' or 'pickup'",
            orElse: refusal
        ) { text in
            ["shipping", "pickup"].first { text.count > 1 && $0.hasPrefix(text.lowercased()) }
        }
        var answers = Answers(delivery: delivery)
        if delivery == "pickup" {
            answers.pickupPlace = try await pickupPlace()
        } else {
            answers.shipsTo = try await list(
                "Countries to which you send it, such as Germany; Austria, or 'all': ",
                form: "countries",
                nothing: "all"
            )
        }
        answers.media = try await list(
            "Files of its pictures, such as front.jpg; back.jpg, or 'none': ",
            form: "files",
            nothing: "none"
        ) { files in
            guard files.count <= 6 else { throw ValidationError("Give at most six pictures.") }
            for file in files { try check(file) }
        }
        return answers
    }

    /// Asks for the pickup place.
    ///
    /// - Throws: ``Failure`` if the input ends.
    static func pickupPlace() async throws -> String {
        try await Needs.answer(
            "Where, such as a district or a landmark (everybody can read it): ",
            form: "a place",
            orElse: refusal
        ) { $0 }
    }

    /// Asks for the picture that everybody sees of a digital work.
    ///
    /// - Throws: ``Failure`` if the input ends.
    static func preview() async throws -> String {
        try await Needs.answer(
            "File of the picture that everybody sees of it, such as cover.jpg: ",
            form: "a file",
            orElse: refusal
        ) { file in
            try check(file)
            return file
        }
    }

    /// - Throws: `ValidationError` for a file that cannot be read.
    private static func check(_ file: String) throws {
        do { _ = try LocalFile.contents(of: file) } catch let failure as Failure {
            throw ValidationError(failure.message)
        }
    }

    /// Asks for texts with semicolons between them.
    private static func list(
        _ question: String,
        form: String,
        nothing: String,
        check: ([String]) throws -> Void = { _ in }
    ) async throws -> [String] {
        try await Needs.answer(question, form: "\(form), or '\(nothing)'", orElse: refusal) {
            text in
            guard text.lowercased() != nothing else { return [] }
            let parts = text.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }.filter { !$0.isEmpty }
            try check(parts)
            return parts
        }
    }
}
