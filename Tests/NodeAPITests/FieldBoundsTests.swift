import AccountAccess
import Client
import Market
import MediaFiles
import Testing

@testable import NodeAPI
@testable import Trade

/// The bounds that the API's types name are those that the node keeps to.
struct FieldBoundsTests {
    private static func form(_ name: String, of type: any DescribedType.Type) -> [String: Any] {
        type.fields[name]?.form?.schema ?? [:]
    }

    @Test(
        arguments: [
            ("title", ListingContent.self, ListingRules.titleByteCountMax),
            ("description", ListingContent.self, ListingRules.descriptionByteCountMax),
            ("tags", ListingContent.self, ListingRules.tagByteCountMax),
            (
                "title", Client.CurriculumSession.self,
                Market.CurriculumSession.titleByteCountMax
            ),
            (
                "content", Client.CurriculumSession.self,
                Market.CurriculumSession.contentByteCountMax
            ),
            ("place", DeliveryAddress.self, Delivery.placeByteCountMax),
            ("text", DeliveryAddress.self, MailAddress.textByteCountMax),
            ("text", AddressDisclosure.self, MailAddress.textByteCountMax),
            ("note", SaleMove.self, MailNote.textByteCountMax),
            ("note", SentNotice.self, MailNote.textByteCountMax),
            ("text", MessageDraft.self, MailMessage.textByteCountMax),
            ("text", ReportDraft.self, MailReport.textByteCountMax),
            ("text", ReviewDraft.self, Market.Review.textByteCountMax),
            ("name", CurationDraft.self, Market.Curation.nameByteCountMax),
            ("about", CurationDraft.self, Market.Curation.aboutByteCountMax),
            ("reason", CurationEntry.self, Market.Curation.reasonByteCountMax),
            ("newPassword", PasswordChange.self, Password.lengths.upperBound),
        ] as [(String, any DescribedType.Type, Int)]
    )
    func `a text is at most as long as the market allows`(
        name: String,
        type: any DescribedType.Type,
        lengthMax: Int
    ) {
        #expect(Self.form(name, of: type)["maxLength"] as? Int == lengthMax)
    }

    @Test(
        arguments: [
            ("tags", ListingContent.self, ListingRules.tagsMax),
            ("media", ListingContent.self, ListingRules.goodsMediaMax),
            ("curriculum", ListingContent.self, Market.CurriculumSession.sessionsMax),
            ("shipsTo", ListingContent.self, ShippingLimits.placesMax),
            ("media", ReviewDraft.self, Market.Review.mediaMax),
            ("pictures", SaleMove.self, MailPicture.countMax),
            ("pictures", SentNotice.self, MailPicture.countMax),
            ("entries", CurationDraft.self, Market.Curation.entriesMax),
        ] as [(String, any DescribedType.Type, Int)]
    )
    func `a list has at most as many elements as the market allows`(
        name: String,
        type: any DescribedType.Type,
        countMax: Int
    ) {
        #expect(type.fields[name]?.elementCounts?.upperBound == countMax)
    }

    @Test func `a number is in the range that the market allows`() {
        func range(_ name: String, _ type: any DescribedType.Type) -> [Int?] {
            let form = Self.form(name, of: type)
            return [form["minimum"] as? Int, form["maximum"] as? Int]
        }
        func seconds(_ range: ClosedRange<Duration>) -> [Int?] {
            [range.lowerBound, range.upperBound].map { Int($0.components.seconds) }
        }
        let (seats, points) = (CourseLimits.seats, CourseLimits.pointsMax)
        #expect(range("seats", CourseTerms.self) == [Int(seats.lowerBound), Int(seats.upperBound)])
        #expect(range("beginSeconds", CourseTerms.self) == seconds(CourseLimits.beginGrace))
        #expect(range("ratingSeconds", CourseTerms.self) == seconds(CourseLimits.ratingWindow))
        #expect(range("points", SaleMove.self) == [0, Int(points)])
        #expect(range("metres", ShippingDistance.self).last == Int(ShippingLimits.radiusMetresMax))
        let payment = MailPriceOffer.paymentSeconds
        #expect(
            range("paymentSeconds", PriceOfferDraft.self)
                == [Int(payment.lowerBound), Int(payment.upperBound)]
        )
        #expect(range("within", SearchTerms.self).last == ListingQuery.kilometresMax)
        let most = PieceRole.countMax
        #expect(range("pieces", ListingContent.self) == [1, most])
        #expect(range("add", PieceChange.self) == [1, most - 1])
        #expect(range("withdraw", PieceChange.self) == [1, most])
    }

    @Test(
        arguments: [
            ("type", ListingContent.self, Market.Listing.Form.allCases.map(\.rawValue)),
            ("state", Client.Listing.self, ListingState.names),
            ("stage", Sale.self, SaleStage.allCases.map(\.rawValue)),
            ("phase", Sale.Round.self, CourseStatus.allCases.map(\.name)),
            ("type", ListingMedia.self, [Media.Form.jpeg, .png, .webp, .pdf].map(\.mediaType)),
        ] as [(String, any DescribedType.Type, [String])]
    )
    func `a text is one of those that the node has`(
        name: String,
        type: any DescribedType.Type,
        texts: [String]
    ) {
        #expect(Self.form(name, of: type)["enum"] as? [String] == texts)
    }

    @Test func `a category is as long as the market allows`() {
        let pattern = "^[a-z0-9-]{1,\(ListingRules.categoryByteCountMax)}$"
        #expect(Self.form("category", of: ListingContent.self)["pattern"] as? String == pattern)
    }
}
