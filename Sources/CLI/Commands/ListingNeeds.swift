import Client
import Foundation
import Texts

/// The fields that a listing of goods or of a digital work cannot do without.
enum ListingNeeds: String, CaseIterable {
    case title, price, description, category

    /// The question to a person who has not given it.
    var question: String {
        switch self {
        case .title: "Title, on one line: "
        case .price: "Price, such as 0.5, '0.5 ETH' or '12.50 TST': "
        case .description: "Description, everything that a buyer should know: "
        case .category: "Category, such as sports ('stoa listing categories' shows more): "
        }
    }

    /// The option as the program's usage shows it.
    var option: String { self == .title ? "'<title>'" : "'--\(rawValue) <\(rawValue)>'" }

    /// Returns what a draft lacks.
    static func missing(in content: ListingContent) -> [ListingNeeds] {
        allCases.filter { need in
            switch need {
            case .title: content.title.isEmpty
            case .price: content.price.amount == "0"
            case .description: content.description.isEmpty
            case .category: content.category.isEmpty
            }
        }
    }

    /// Asks for it on the terminal, until `check` takes the answer.
    ///
    /// - Throws: ``Failure`` if nothing is typed.
    func answer(check: (String) throws -> Void) async throws -> String {
        let answer = try await Terminal.answer(question) { typed in
            let answer = typed.trimmingCharacters(in: .whitespaces)
            if !answer.isEmpty { try check(answer) }
            return answer
        }
        guard let answer, !answer.isEmpty else {
            throw Failure(.usage, "Nothing was listed: a listing needs a \(rawValue).")
        }
        return answer
    }

    /// Says how an identifier is stored; `nil` if it stays as it was typed.
    static func stored(_ typed: String) -> Sentence? {
        let stored = typed.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard stored != typed, !stored.isEmpty else { return nil }
        return Sentence("preview.identifier", ["typed": typed, "stored": stored])
    }

    /// Returns the content with what a person need not give: the category as a tag, and a random
    /// identifier for an item that has none of its own.
    static func completed(_ content: ListingContent) -> ListingContent {
        var content = content
        if content.tags.isEmpty, !content.category.isEmpty {
            content.tags = [String(content.category.prefix(tagLettersMax))]
        }
        // A token is sold again under the identifier that it was made for.
        if content.identifier.isEmpty, content.type == "goods", content.item == nil {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            content.identifier = "item" + String(repeating: "0", count: 16 - digits.count) + digits
        }
        return content
    }

    /// The maximum length of a tag; a category has ASCII letters only.
    private static let tagLettersMax = 30
}
