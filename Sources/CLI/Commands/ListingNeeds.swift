import Answers
import ArgumentParser
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

    /// Asks for it on the terminal, until the rule for the field and `check` take the answer.
    ///
    /// - Throws: ``Failure`` if the input ends.
    func answer(
        _ question: String? = nil,
        check: (String) throws -> Void = { _ in }
    ) async throws -> String {
        try await Needs.answer(
            question ?? self.question,
            form: "a \(rawValue)",
            orElse: "Nothing was listed: a listing needs a \(rawValue)."
        ) { answer in
            try check(answer)
            if let refusal = refusal(of: answer) { throw ValidationError(refusal.detail) }
            return answer
        }
    }

    /// - Throws: `ValidationError` for a price of nothing.
    static func check(_ price: Money) throws {
        guard price.amount != "0" else {
            throw ValidationError("The price must be more than 0.")
        }
    }

    /// Returns why the field cannot have a text; the price is checked with its currency.
    private func refusal(of answer: String) -> Refusal? {
        switch self {
        case .title: EnteredListing.refusal(title: answer)
        case .price: nil
        case .description: EnteredListing.refusal(description: answer)
        case .category:
            EnteredListing.refusal(categoryOfGoods: StoredWord.category(answer))
        }
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
