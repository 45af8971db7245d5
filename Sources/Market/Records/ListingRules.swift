/// The rules for listings.
///
/// Source: Docs/protocol.md, section 5.4.
package enum ListingRules {
    package static let titleByteCountMax = 160
    package static let descriptionByteCountMax = 8_192
    package static let categoryByteCountMax = 40
    package static let tagsMax = 5
    package static let tagByteCountMax = 30
    package static let goodsMediaMax = 6
    package static let digitalCategory = "digital"
    package static let courseCategory = "course"

    /// Whether a form of goods can be delivered and sold in this way.
    ///
    /// Only escrow protects a buyer of goods; clients warn of the other ways.
    package static func allows(
        _ form: Listing.Form,
        _ delivery: Delivery.Method,
        _ kind: SaleKind
    ) -> Bool {
        switch (form, delivery, kind) {
        case (.goods, .shipping, .escrow), (.goods, .shipping, .direct),
            (.goods, .shipping, .auction), (.goods, .pickup, .escrow), (.goods, .pickup, .direct),
            (.goods, .pickup, .auction), (.digital, .online, .escrow), (.digital, .online, .direct),
            (.digital, .online, .auction), (.course, .online, .enrolment),
            (.course, .pickup, .enrolment):
            true
        default:
            false
        }
    }

    /// Whether title and description stay as listed: bids are given for them, and a digital work is
    /// known by them before it is bought.
    package static func fixesTexts(_ listing: Listing) -> Bool {
        listing.form == .digital || listing.terms.kind == .auction
    }

    static func check(_ listing: Listing) throws(RuleFault) {
        try check(title: listing.title)
        try check(description: listing.description)
        try check(category: listing.category, of: listing.form)
        try checkTags(listing.tags)
        try checkMedia(listing)
        guard listing.curriculum.isEmpty || listing.form == .course else {
            throw .malformed(.curriculum)
        }
        try CurriculumSession.check(listing.curriculum, beside: listing.description)
        try listing.delivery.check()
        guard listing.chain.number > 0 else { throw .missing(.chain) }
        guard listing.endsAt?.milliseconds != 0 else { throw .malformed(.endsAt) }
        let (method, kind) = (listing.delivery.method, listing.terms.kind)
        guard allows(listing.form, method, kind) else {
            throw .combination(listing.form, method, kind)
        }
        try listing.terms.checkLimits()
        if case .first(let count) = listing.pieces {
            guard count > 1 else { throw .malformed(.pieces) }
            guard count <= PieceRole.countMax else {
                throw .tooMany(.pieces, countMax: PieceRole.countMax)
            }
        }
    }

    package static func check(title: String) throws(RuleFault) {
        _ = try PlainText.line(title, .title, byteCountMax: titleByteCountMax)
    }

    package static func check(description: String) throws(RuleFault) {
        _ = try PlainText.lines(description, .description, byteCountMax: descriptionByteCountMax)
    }

    /// A word of lower-case letters, digits and hyphens; unknown categories are shown unchanged.
    package static func check(
        category: String,
        of form: Listing.Form
    ) throws(RuleFault) {
        guard !category.isEmpty else { throw .missing(.category) }
        guard category.utf8.count <= categoryByteCountMax else {
            throw .tooLong(.category, byteCountMax: categoryByteCountMax)
        }
        guard category.utf8.allSatisfy({ isSmallLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
        else { throw .malformed(.category) }
        let isRight =
            switch form {
            case .digital: category == digitalCategory
            case .course: category == courseCategory
            case .goods: category != digitalCategory && category != courseCategory
            }
        guard isRight else { throw .malformed(.category) }
    }

    private static func checkTags(_ tags: [String]) throws(RuleFault) {
        guard !tags.isEmpty else { throw .missing(.tags) }
        guard tags.count <= tagsMax else { throw .tooMany(.tags, countMax: tagsMax) }
        for tag in tags {
            _ = try PlainText.line(tag, .tags, byteCountMax: tagByteCountMax)
            guard !tag.utf8.contains(where: isCapital) else { throw .malformed(.tags) }
        }
        guard !tags.hasRepeats else { throw .repeated(.tags) }
    }

    private static func checkMedia(_ listing: Listing) throws(RuleFault) {
        switch listing.form {
        case .goods, .course:
            guard listing.media.count <= goodsMediaMax else {
                throw .tooMany(.media, countMax: goodsMediaMax)
            }
        case .digital:
            guard let image = listing.media.first else { throw .missing(.media) }
            guard listing.media.count == 1 else { throw .tooMany(.media, countMax: 1) }
            guard image.form.isImage else { throw .malformed(.media) }
        }
        guard !listing.media.map(\.id).hasRepeats else { throw .repeated(.media) }
    }

    private static func isSmallLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isCapital(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}

extension Array where Element: Equatable {
    /// Whether an element occurs twice; for lists of a few elements, which a set would cost more.
    var hasRepeats: Bool { indices.contains { self[..<$0].contains(self[$0]) } }
}
