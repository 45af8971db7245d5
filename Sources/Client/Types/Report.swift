public import Foundation

/// A message to the account that reads a node's reports.
public struct Report: Codable, Hashable, Sendable, DescribedType {
    /// The id of its message.
    public var id: String
    /// The conversation in which it is answered.
    public var conversation: String
    /// The account that reports.
    public var sender: String
    /// The account that is reported, or whose listing or review is; `nil` if it is about the node.
    public var account: String?
    public var listing: String?
    /// The title of that listing, if this node has it.
    public var title: String?
    /// The record of the reported review.
    public var review: String?
    public var text: String
    public var sentAt: Date
    /// As a message's, see ``Message/state``.
    public var state: String
    /// The first text of the other side after it; `nil` if there is none yet.
    public var answer: String?

    package static let fields: [String: FieldFacts] = [
        "id": .anyID, "conversation": .hash, "sender": .address, "account": .address,
        "listing": .listing, "title": .title, "review": .hash, "text": "A copy.",
        "state": .messageState.example("received"),
        "answer": FieldFacts("Thank you.").about(
            "The first text of the other side after it; null if there is none yet."
        ),
    ]

    public init(
        id: String,
        conversation: String,
        sender: String,
        account: String? = nil,
        listing: String? = nil,
        title: String? = nil,
        review: String? = nil,
        text: String,
        sentAt: Date,
        state: String,
        answer: String? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.account = account
        self.listing = listing
        self.title = title
        self.review = review
        self.text = text
        self.sentAt = sentAt
        self.state = state
        self.answer = answer
    }
}

/// Asks to report something to the operator of the node.
public struct ReportDraft: Codable, Hashable, Sendable, DescribedType {
    /// The account to report; at most one of this, `listing` and `review` is given.
    public var account: String?
    public var listing: String?
    /// The record of a review.
    public var review: String?
    public var text: String

    package static let fields: [String: FieldFacts] = [
        "account": .address.orName.notInExample, "listing": .listing.orName,
        "review": .hash.notInExample,
        "text": FieldFacts("The picture shows another bicycle.").lengths(1...4_096),
    ]

    public init(
        account: String? = nil,
        listing: String? = nil,
        review: String? = nil,
        text: String
    ) {
        (self.account, self.listing, self.review, self.text) = (account, listing, review, text)
    }
}
