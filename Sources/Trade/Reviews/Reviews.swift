package import AccountAccess
import Answers
package import Client
import Concurrency
import Foundation
package import Keys
import Market
package import MediaFiles
package import Records
import Setup
package import Storage

/// The reviews that the parties of finished sales write about each other.
package actor Reviews {
    let saleIndexes: SaleIndexes
    let store: Store
    let stars: SellerStars
    private let recordService: RecordService
    private let accounts: Accounts
    /// `nil` in a market whose reviews take no files.
    private let files: MediaService?
    /// One review is published at a time, so that no second one slips past the check for a first.
    private let turn = AsyncSemaphore(unitsMax: 1)

    package init(
        saleIndexes: SaleIndexes,
        store: Store,
        recordService: RecordService,
        accounts: Accounts,
        stars: SellerStars,
        files: MediaService? = nil
    ) {
        (self.saleIndexes, self.store, self.recordService, self.accounts) = (
            saleIndexes, store, recordService, accounts
        )
        self.stars = stars
        self.files = files
    }

    /// Publishes a review by the account, which has one for each sale and cannot change it.
    ///
    /// The same review again counts as the published one, so that a call whose answer was lost can
    /// be repeated.
    ///
    /// - Throws: ``Refusal``: `unknown_sale`, `review_refused` if the account is not a party or the
    ///   sale is not over, `already_reviewed` if it has written another review of the sale,
    ///   `not_final_yet`, `malformed_value`, `needs_unlock`, `signs_elsewhere`.
    package func write(_ draft: ReviewDraft, by account: Address) async throws -> Client.Review {
        guard try await !accounts.signsElsewhere(account) else {
            throw Refusal(.signsElsewhere, Sentence("refusal.mustSignHere"))
        }
        let permit = try await turn.wait()
        defer { withExtendedLifetime(permit) {} }
        let review = try await review(draft, by: account)
        if let record = try published(review, by: account) { return try shown(record, review) }
        guard let key = await accounts.key(of: account) else {
            throw Refusal(.nodeLocked, Sentence("refusal.signInToSign"))
        }
        let record = try await recordService.publish(.review(review), by: key)
        return try shown(record, review)
    }

    /// Returns the record of a review that the account has published; `nil` if there is none yet.
    ///
    /// - Throws: ``Refusal`` with `already_reviewed` if it has published a different one.
    private func published(
        _ review: Market.Review,
        by account: Address
    ) throws -> SignedRecord? {
        let content = RecordContent.review(review)
        let slot = content.slot(author: account) ?? .zero
        let place = RecordKey(author: account, kind: .review, slot: slot)
        let stored = try store.read { try $0.records(in: place) }
        guard !stored.isEmpty else { return nil }
        let records = stored.compactMap { $0.readable() }
        guard let record = records.first(where: { $0.content == content }) else {
            throw Refusal(.alreadyReviewed, Sentence("refusal.reviewedAlready"), field: "sale")
        }
        return record
    }

    /// Returns the preview of a review, with the same checks as ``write(_:by:)``.
    ///
    /// - Throws: As ``write(_:by:)``.
    package func preview(
        _ draft: ReviewDraft,
        by account: Address
    ) async throws -> ActionPreview {
        let review = try await review(draft, by: account)
        let sale = saleIndexes.view(of: review.sale)?.sale
        let other = sale.flatMap { $0.seller == account ? $0.buyer : $0.seller }
        let isNew = try published(review, by: account) == nil
        return ActionPreview(
            action: "review",
            chain: review.sale.contract.chain.number,
            subject: review.sale.id.description,
            round: sale?.state.freeSeats == nil ? nil : review.round,
            sale: try sale.map { sale in
                let title = try store.promise(of: sale)?.title
                return ActionPreview.PreviewedSale(sale, title: title, to: account)
            },
            summary: Self.summary(of: review, about: other),
            explanation: [
                Sentence("preview.public"),
                isNew ? Sentence("review.once") : Sentence("review.again"),
            ]
        )
    }

    private static func summary(
        of review: Market.Review,
        about account: Address?
    ) -> [Sentence] {
        var sentences = [
            account.map {
                Sentence("review.publish", ["stars": "\(review.stars)", "account": $0.checksummed])
            } ?? Sentence("review.publishAny", ["stars": "\(review.stars)"])
        ]
        if !review.media.isEmpty {
            sentences.append(Sentence("review.files", ["files": "\(review.media.count)"]))
        }
        return sentences
    }

    /// Returns the files that a draft names.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    private func media(of draft: ReviewDraft) async throws -> [Media] {
        guard let named = draft.media, !named.isEmpty else { return [] }
        guard named.count <= Market.Review.mediaMax else {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.reviewFilesMax", ["most": "\(Market.Review.mediaMax)"]),
                field: "media"
            )
        }
        guard let files else {
            throw Refusal(.malformedValue, Sentence("refusal.noFiles"), field: "media")
        }
        return try await files.media(named, refusedAs: .malformedValue)
    }

    /// Returns the review of a draft, if its author can write it.
    private func review(
        _ draft: ReviewDraft,
        by account: Address
    ) async throws -> Market.Review {
        guard let view = try saleIndexes.onlyView(entered: draft.sale) else {
            throw Refusal(
                .unknownSale,
                Sentence("refusal.noSuchSale", ["id": draft.sale.quoted]),
                field: "sale"
            )
        }
        let sale = view.sale
        let round = try self.round(of: sale, in: draft, by: account)
        let deal = try deal(of: sale, round, reviewedBy: account)
        let final = saleIndexes.sale(sale.reference)
        guard final?.reviewRight(of: account, round: round) == .now(deal) else {
            throw Refusal(
                .notFinalYet,
                Sentence(
                    "refusal.endNotFinal",
                    ["count": "\(view.confirmations)", "needed": "\(view.confirmationsNeeded)"]
                ),
                retryAfter: .seconds(5)
            )
        }
        let media = try await media(of: draft)
        do {
            return try Market.Review(
                sale: sale.reference,
                round: round,
                stars: draft.stars,
                text: draft.text ?? "",
                media: media,
                outcome: deal.outcome,
                currency: deal.currency,
                price: deal.price
            )
        } catch .malformed(.text) {
            throw Refusal(.malformedValue, Sentence("refusal.reviewText"), field: "text")
        } catch {
            throw error.refusal(.malformedValue)
        }
    }

    /// Returns the round that a draft is about: the one it names, or the newest that its author has
    /// not reviewed.
    private func round(
        of sale: Market.Sale,
        in draft: ReviewDraft,
        by account: Address
    ) throws -> UInt64 {
        if let round = draft.round { return round }
        if let open = try store.read({ try $0.roundToReview(of: sale, by: account) }) {
            return open
        }
        return sale.state.reviewableRounds(of: account).last ?? 0
    }

    /// Returns the facts about a sale that a review by the account must state, if it can review it
    /// now.
    private func deal(
        of sale: Market.Sale,
        _ round: UInt64,
        reviewedBy account: Address
    ) throws(Refusal) -> ReviewedDeal {
        let service = saleIndexes[sale].service(for: sale)
        switch sale.reviewRight(of: account, round: round) {
        case .now(let deal): return deal
        case .later where sale.isParty(account):
            throw Refusal(.reviewRefused, .state(of: sale.state), type(of: service).reviewCondition)
        case .never(.notReviewable) where sale.isParty(account):
            throw Refusal(.reviewRefused, .state(of: sale.state), Sentence("refusal.notReviewable"))
        case .later, .never:
            throw Refusal(.reviewRefused, type(of: service).reviewers)
        }
    }

    func shown(
        _ record: SignedRecord,
        _ review: Market.Review
    ) throws -> Client.Review {
        let sale = saleIndexes.view(of: review.sale)?.sale
        let others = try store.read { try $0.records(in: record.key) }
            .filter { $0.version.id != record.id }
        let subject = sale.flatMap { $0.seller == record.author ? $0.buyer : $0.seller }
        return Client.Review(
            record: record.id.digest.hex,
            author: record.author.checksummed,
            subject: subject?.checksummed ?? "",
            sale: review.sale.id.description,
            round: sale?.state.freeSeats == nil ? nil : review.round,
            chain: review.sale.contract.chain.number,
            listing: try sale.flatMap { try store.listing(of: $0) },
            stars: review.stars,
            text: review.text,
            media: review.media.map(ListingMedia.init),
            outcome: review.outcome.rawValue,
            price: Money(review.price, review.currency),
            createdAt: record.createdAt.date,
            isContradicted: others.contains { $0.readable()?.content != record.content }
        )
    }
}
