public import Foundation
public import Texts

/// The messages of two accounts, about a listing or about nothing in particular.
public struct Conversation: Codable, Hashable, Sendable, DescribedType {
    public var id: String
    /// The other side's address.
    public var with: String
    /// The listing that it is about.
    public var listing: String?
    /// The title of that listing, if this node knows it.
    public var title: String?
    /// The first picture of that listing.
    public var picture: ListingMedia?
    /// The name and picture in the other side's profile.
    public var profile: ProfileSummary?
    public var lastMessage: Message?
    public var unread: Int
    /// Whether the other side began it and the account has not answered or accepted it yet.
    public var isRequest: Bool

    package static let fields: [String: FieldFacts] = [
        "id": .hash, "with": .address, "listing": .listing, "title": .title,
        "picture": .about("The first picture of that listing."),
        "profile": .about("The name and picture in the other side's profile."),
        "unread": FieldFacts(0).about("How many messages are unread."),
        "isRequest": .about(
            "Whether a stranger began it and the account has not answered or accepted it."
        ),
    ]

    public init(
        id: String,
        with: String,
        listing: String?,
        title: String? = nil,
        picture: ListingMedia? = nil,
        profile: ProfileSummary? = nil,
        lastMessage: Message?,
        unread: Int,
        isRequest: Bool = false
    ) {
        self.id = id
        self.with = with
        self.listing = listing
        (self.title, self.picture, self.profile) = (title, picture, profile)
        self.lastMessage = lastMessage
        self.unread = unread
        self.isRequest = isRequest
    }
}

/// An account whose messages are dropped.
public struct BlockedAccount: Codable, Hashable, Sendable, DescribedType {
    /// Its address.
    public var account: String
    public var since: Date

    package static let fields: [String: FieldFacts] = ["account": .address]

    public init(account: String, since: Date) {
        self.account = account
        self.since = since
    }
}

/// Asks to block an account.
public struct BlockRequest: Codable, Hashable, Sendable, DescribedType {
    /// Its address.
    public var account: String

    package static let fields: [String: FieldFacts] = ["account": .address.orName]

    public init(account: String) {
        self.account = account
    }
}

/// One sealed message, as the signed-in account sees it.
public struct Message: Codable, Hashable, Sendable, DescribedType {
    public var id: String
    public var conversation: String
    public var sender: String
    /// `text`, `report`, `address` (to which a buyer wants an item sent), `exception` (the seller
    /// ships to this buyer whatever the listing says), `work` (the key of a digital work, whose
    /// file's name is the text), `note` (with a move in a sale), or `unknown` if only a newer
    /// version of the node can read it.
    public var kind: String
    /// Empty if the kind is `exception`, `offer` or unknown, and of an address that was received:
    /// ``Sale/deliveryAddress`` shows it.
    public var text: String
    /// The number of a note's pictures; `nil` if it has none.
    public var pictures: Int?
    /// When it was sent, by its sender's clock; when it arrived, if that clock says a time more
    /// than 10 minutes later.
    public var sentAt: Date
    /// When this node first read it; the same as ``sentAt`` if it was written here.
    ///
    /// Messages are in the order of their arrival, but those of each sender's device in the order
    /// in which they were written.
    public var arrivedAt: Date
    /// `queued`, `sent`, `delivered`, `not_understood`, `read` or `failed`; `received` or `read` if
    /// received.
    ///
    /// `not_understood` is delivered, but the recipient needs a newer version to read it.
    public var state: String
    /// How many of the recipient's homes hold it, while it is `sent`.
    public var heldBy: Int
    /// The reason for its failure, and the next step.
    public var problem: String?
    /// The same in sentences.
    public var reason: [Sentence]?

    package static let fields: [String: FieldFacts] = [
        "id": .anyID, "conversation": .hash, "sender": .address,
        "kind": FieldFacts("text").oneOf([
            "text", "report", "address", "exception", "work", "note", "offer", "unknown",
        ]),
        "text": "Is it still there?", "state": .messageState,
        "pictures": FieldFacts(2).about(
            "The number of pictures of a note; its sale has their ids."
        ),
        "heldBy": .about("How many of the recipient's homes have it, while it is in transit."),
        "problem": .about("The reason for its failure, and the next step."),
        "reason": .about("The same in sentences."),
    ]

    public init(
        id: String,
        conversation: String,
        sender: String,
        kind: String = "text",
        text: String,
        pictures: Int? = nil,
        sentAt: Date,
        arrivedAt: Date,
        state: String,
        heldBy: Int,
        reason: [Sentence]? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.kind = kind
        self.text = text
        self.pictures = pictures
        self.sentAt = sentAt
        self.arrivedAt = arrivedAt
        self.state = state
        self.heldBy = heldBy
        (self.reason, problem) = (reason, reason?.detail)
    }
}

/// Asks to open a conversation.
public struct ConversationOpening: Codable, Hashable, Sendable, DescribedType {
    /// The other side's address.
    public var with: String
    public var listing: String?

    package static let fields: [String: FieldFacts] = [
        "with": .address.orName, "listing": .listing.orName,
    ]

    public init(with: String, listing: String? = nil) {
        self.with = with
        self.listing = listing
    }
}

/// Asks to send a text.
public struct MessageDraft: Codable, Hashable, Sendable, DescribedType {
    public var text: String

    package static let fields: [String: FieldFacts] = [
        "text": FieldFacts("Yes.").lengths(1...16_384)
    ]

    public init(text: String) {
        self.text = text
    }
}

/// Asks to mark messages as read.
public struct ReadThrough: Codable, Hashable, Sendable, DescribedType {
    /// The message that arrived last of those that were read.
    public var message: String

    package static let fields: [String: FieldFacts] = ["message": "0f0f0f0f0f0f0f0f-1"]

    public init(message: String) {
        self.message = message
    }
}

/// A device of the account, with its own key: one for each of its nodes.
public struct Device: Codable, Hashable, Sendable, DescribedType {
    /// The id of the device in mail and records.
    public var id: String
    /// Its name, chosen by its node: that node's peer id.
    public var name: String
    /// Whether it is the answering node's own.
    public var isThisNode: Bool
    /// The start of its current certificate's validity.
    public var since: Date

    package static let fields: [String: FieldFacts] = [
        "id": .hash, "name": .peer, "isThisNode": true,
    ]

    public init(id: String, name: String, isThisNode: Bool, since: Date) {
        (self.id, self.name) = (id, name)
        (self.isThisNode, self.since) = (isThisNode, since)
    }
}

/// A node that keeps mail for the account.
public struct Home: Codable, Hashable, Sendable, DescribedType {
    public var peer: String
    public var address: String
    public var until: Date
    /// Whether it is the node that answers.
    public var isThisNode: Bool

    package static let fields: [String: FieldFacts] = [
        "peer": .peer, "address": "/ip4/…", "until": .until,
    ]

    public init(peer: String, address: String, until: Date, isThisNode: Bool) {
        self.peer = peer
        self.address = address
        self.until = until
        self.isThisNode = isThisNode
    }
}

/// Asks another node to become a home of the account.
public struct HomeRequest: Codable, Hashable, Sendable, DescribedType {
    /// A multiaddr that ends in `/p2p/<peer id>`.
    public var address: String

    package static let fields: [String: FieldFacts] = ["address": .peerAddress]

    public init(address: String) {
        self.address = address
    }
}
