import Foundation
import Keys
import Market
import SwiftProtobuf
import WireMessages

/// Accounts, terms and content shared by the tests of this target.
enum Samples {
    static let network = "test"
    static let ana = key("ana")
    static let bo = key("bo")
    static let chain = ChainID(31_337)
    static let now = Timestamp(milliseconds: 1_763_700_000_000)
    static let chainNow = ChainTime(seconds: 1_763_700_000)
    static let slot = Keccak256.hash("slot".utf8)
    /// That of the identifier of ``listing(terms:)``.
    static let contentHash = Keccak256.hash(ana.address.bytes + Array("wtu123456".utf8))

    /// Returns a key that is the same in every run.
    static func key(_ name: String) -> PrivateKey {
        guard let key = PrivateKey(SecretBytes(copying: Keccak256.hash(name.utf8).bytes)) else {
            preconditionFailure("a hash is a key but once in 2¹²⁸")
        }
        return key
    }

    static func amount(_ text: String) -> Amount { Amount(decimal: text) ?? .zero }

    static func terms(price: String = "500000000000000000") throws -> EscrowTerms {
        try EscrowTerms.standard(
            price: amount(price),
            currency: .native,
            form: .goods,
            now: chainNow
        )
    }

    /// Terms in a token, with every field set.
    static var directTerms: DirectSaleTerms {
        DirectSaleTerms(
            currency: .token(key("token").address),
            price: amount("2500000"),
            offerUntil: chainNow.advanced(by: .days(30))
        )
    }

    /// Terms in native money, as the client's defaults make them.
    static var auctionTerms: AuctionTerms {
        AuctionTerms(currency: .native, startingBid: amount("100000000000000000"))
    }

    /// Terms in a token, with no default.
    static var courseTerms: CourseTerms {
        CourseTerms(
            currency: .token(key("token").address),
            price: amount("2500000"),
            seats: 12,
            start: chainNow.advanced(by: .days(30)),
            end: chainNow.advanced(by: .days(37)),
            beginGrace: .days(2),
            ratingWindow: .days(21)
        )
    }

    /// Returns a course by Ana at a place, or online.
    static func course(
        at place: String? = nil,
        terms: CourseTerms? = nil,
        curriculum: [CurriculumSession] = []
    ) throws -> Listing {
        try Listing(
            form: .course,
            title: "Knots",
            description: "Ten knots and their uses.",
            category: "course",
            tags: ["knots"],
            curriculum: curriculum,
            identifier: ItemIdentifier(normal: "course7"),
            delivery: place.map { .pickup(place: $0) } ?? .online,
            chain: chain,
            terms: .enrolment(terms ?? courseTerms)
        )
    }

    static func listing(
        title: String = "Red bicycle",
        description: String = "Rides well.\nOne gear.",
        terms: EscrowTerms? = nil
    ) throws -> Listing {
        try Listing(
            form: .goods,
            title: title,
            description: description,
            category: "vehicle",
            tags: ["bicycle", "red"],
            identifier: ItemIdentifier(normalising: "WTU-123 456"),
            delivery: .shipping(ShippingLimits(.places(.countries, ["germany", "austria"]))),
            chain: chain,
            terms: .escrow(terms ?? Samples.terms())
        )
    }

    /// Returns the withdrawal of the sample listing.
    static func withdrawal() throws -> ListingWithdrawal {
        ListingWithdrawal(
            sale: SaleReference(
                contract: ContractReference(chain: chain, address: key("contract").address),
                id: SaleID(Bytes32(repeating: 6))
            ),
            promise: ListingCommitment(of: try listing(), slot: slot)
        )
    }

    /// Returns a record with an unknown field that pads it to `byteCount` bytes.
    static func padded(_ content: RecordContent, to byteCount: Int) throws -> SignedRecord {
        let plain = try WireRecord(serializedBytes: draft(content).signed(by: ana).bytes)
        for padding in 0...byteCount {
            var wire = plain
            wire.payload += [0xA2, 0x06] + varint(padding) + Data(repeating: 1, count: padding)
            let bytes: [UInt8] = try wire.serializedBytes()
            guard bytes.count == byteCount else { continue }
            wire.signature = Data(ana.sign(try UnverifiedRecord(bytes).id.digest).bytes)
            return try UnverifiedRecord(wire.serializedBytes()).verified()
        }
        throw RecordFault.tooLong(byteCount: byteCount)
    }

    /// Returns a number as a protobuf varint.
    static func varint(_ number: Int) -> [UInt8] {
        number < 0x80
            ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    static func draft(_ content: RecordContent, by author: PrivateKey = ana) -> RecordDraft {
        RecordDraft(
            network: network,
            author: author.address,
            content: content,
            slot: slot,
            createdAt: now
        )
    }
}

extension Samples {
    /// What the product reads of a message that SwiftProtobuf wrote.
    static func fields(of message: some Message, _ schema: WireSchema) throws -> WireFields {
        try WireReader.read(CanonicalMessage.bytes(of: message)[...], schema)
    }
}
