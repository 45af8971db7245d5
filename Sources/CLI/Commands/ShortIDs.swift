import Client
import Foundation
import Setup

/// Completes ids and names of things that the node finds by their whole id alone.
enum ShortIDs {
    /// A list is searched in so many of its newest pages.
    private static let pagesMax = 10
    private static let digitsMin = 4

    /// Returns the id of a list that hides, by its id, the first digits of its id, or its name.
    ///
    /// - Parameters:
    ///   - text: The words that a person typed.
    ///   - author: The address of the list's author; `nil` for any.
    ///   - node: The node that has the lists.
    /// - Returns: The id; the text as it is if no list fits.
    /// - Throws: ``Failure`` if several lists fit.
    static func curation(
        _ text: String,
        by author: String? = nil,
        _ node: StoaClient
    ) async throws -> String {
        let isWhole = text.wholeMatch(of: /0x[0-9a-fA-F]{40}\.(?:0x)?[0-9a-fA-F]{64}/) != nil
        guard !isWhole, !text.isEmpty else { return text }
        var (found, after): ([Curation], String?) = ([], nil)
        for _ in 0..<pagesMax {
            let page = try await node.curations(author: author, limit: 100, after: after)
            found += page.items.filter {
                $0.name.lowercased() == text.lowercased() || begins($0.id, with: text)
            }
            guard let next = page.next else { break }
            after = next
        }
        let named = found.map { ($0.id, "\($0.name.quoted) by \(IDText.address($0.author))") }
        return try only(named, text) ?? text
    }

    /// Returns the account that asks to write, by the first digits of its address or of its
    /// request.
    ///
    /// A name is left to the node, which knows who has given it.
    ///
    /// - Returns: The address; the text as it is if no request fits.
    /// - Throws: ``Failure`` if several accounts fit.
    static func requester(_ text: String, _ node: StoaClient) async throws -> String {
        let isBeginning = text.replacing("0x", with: "").wholeMatch(of: /[0-9a-fA-F]{4,64}/) != nil
        guard isBeginning, text.count != 42 else { return text }
        let requests = try await node.conversations(requests: true, limit: 100).items
        let found = requests.filter { begins($0.with, with: text) || begins($0.id, with: text) }
        return try only(found.map { ($0.with, "asks to write") }, text) ?? text
    }

    /// Returns the record of a review, by the record or its first digits.
    ///
    /// - Parameters:
    ///   - text: The words that a person typed.
    ///   - scope: The reviews among which it is.
    ///   - node: The node that has the reviews.
    /// - Returns: The record; the text as it is if no review fits.
    /// - Throws: ``Failure`` if several reviews fit.
    static func review(
        _ text: String,
        in scope: ReviewScope,
        _ node: StoaClient
    ) async throws -> String {
        guard text.count < 64 else { return text }
        let reviews = try await node.reviews(scope, limit: 100).items
        let found = reviews.filter { begins($0.record, with: text) }
        return try only(found.map { ($0.record, "of \(TimeText.text($0.createdAt))") }, text)
            ?? text
    }

    private static func begins(_ id: String, with text: String) -> Bool {
        let typed = digits(of: text)
        return typed.count >= digitsMin && digits(of: id).hasPrefix(typed)
    }

    /// The digits of an id, those after its author's address if it has one.
    private static func digits(of id: String) -> Substring {
        let part = id.lowercased().split(separator: ".").last ?? ""
        return part.hasPrefix("0x") ? part.dropFirst(2) : part
    }

    private static func only(
        _ found: [(id: String, about: String)],
        _ text: String
    ) throws -> String? {
        let ids = Set(found.map(\.id))
        guard ids.count > 1 else { return ids.first }
        let lines = found.map { "    \(IDText.short($0.id)) (\($0.about))\n" }
        throw Failure(
            .refused,
            "\(text.quoted) matches several:\n\(lines.joined())Give the id, or more of it.",
            problem: ProblemCode.ambiguousID.rawValue
        )
    }
}
