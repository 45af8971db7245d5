package import Keys

/// A list of listings and accounts that its author, the curator, advises not to look at.
///
/// It hides them only from accounts that subscribe to it.
///
/// Source: Docs/protocol.md, section 14.
package struct Curation: Hashable, Sendable {
    package static let nameByteCountMax = 64
    package static let aboutByteCountMax = 1_024
    package static let reasonByteCountMax = 160
    package static let entriesMax = 250

    /// One listing, or all listings of an account, and why.
    package struct Entry: Hashable, Sendable {
        package let account: Address
        /// The slot of a listing; `nil` for all listings of the account.
        package let listing: Bytes32?
        package let reason: String

        package init(
            account: Address,
            listing: Bytes32? = nil,
            reason: String
        ) throws(RuleFault) {
            guard account != .zero else { throw .malformed(.entries) }
            (self.account, self.listing) = (account, listing)
            self.reason = try PlainText.line(
                reason,
                .reason,
                byteCountMax: Curation.reasonByteCountMax
            )
        }

        static let wireSchema = WireSchema(.bytes, .bytes, .text)

        init(wire: WireFields) throws(RuleFault) {
            guard let account = Address(wire.bytes(1)) else { throw .malformed(.entries) }
            let listing = Bytes32(wire.bytes(2))
            guard !wire.has(2) || listing != nil else { throw .malformed(.entries) }
            try self.init(account: account, listing: listing, reason: wire.text(3))
        }

        var wire: [UInt8] {
            var wire = WireWriter()
            wire.write(1, account.bytes)
            if let listing { wire.write(2, listing.bytes) }
            wire.write(3, reason)
            return wire.bytes
        }

        /// The hidden listing or account.
        fileprivate var subject: [UInt8] { account.bytes + (listing?.bytes ?? []) }
    }

    package let name: String
    package let about: String
    package let entries: [Entry]

    package init(name: String, about: String = "", entries: [Entry]) throws(RuleFault) {
        self.name = try PlainText.name(name, .name, byteCountMax: Self.nameByteCountMax)
        self.about = try PlainText.lines(
            about,
            .about,
            byteCountMax: Self.aboutByteCountMax,
            mayBeEmpty: true
        )
        guard entries.count <= Self.entriesMax else {
            throw .tooMany(.entries, countMax: Self.entriesMax)
        }
        guard Set(entries.map(\.subject)).count == entries.count else {
            throw .repeated(.entries)
        }
        self.entries = entries
    }

    static let wireSchema = WireSchema(.text, .text, .repeated(.message(Entry.wireSchema)))

    init(wire: WireFields) throws(RuleFault) {
        var entries: [Entry] = []
        for entry in wire.messages(3) { entries.append(try Entry(wire: entry)) }
        try self.init(name: wire.text(1), about: wire.text(2), entries: entries)
    }

    /// The slot of the list with that name.
    package static func slot(of name: String) -> Bytes32 { Keccak256.hash(name.utf8) }

    var summary: String {
        let count = entries.count == 1 ? "one entry" : "\(entries.count) entries"
        return "Publish list '\(name)' with \(count) to hide"
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, name)
        wire.write(2, about)
        wire.write(3, all: entries.map(\.wire))
        return wire.bytes
    }
}
