import Client
import Concurrency
import Foundation
import Keys
import Market
import Storage
import Synchronization

/// A cache of listings as JSON, bounded in bytes.
///
/// It has two generations: a full one is kept until the next is full, and entries that are used
/// move to the new one.
final class ListingTexts: Sendable {
    /// A listing and its JSON.
    final class Text: Sendable {
        let found: FoundListing
        /// The piece that is shown, if the listing stands for several; else the listing.
        let piece: FoundListing
        /// The state that the JSON depends on besides the listing.
        let summary: Summary
        let json: [UInt8]
        /// The JSON of its row; `nil` if none has been asked for.
        let row: [UInt8]?

        init(
            found: FoundListing,
            piece: FoundListing? = nil,
            summary: Summary,
            json: [UInt8],
            row: [UInt8]? = nil
        ) {
            (self.found, self.summary, self.json, self.row) = (found, summary, json, row)
            self.piece = piece ?? found
        }

        /// Returns the JSON of the listing or of its row, with the distance of the listing's point
        /// from another one if both are known, with the caller's part in its sale if there is one,
        /// and with the seller.
        func json(
            asRow: Bool = false,
            at point: ShippingLimits.Point?,
            own part: String? = nil,
            seller: Client.Listing.Seller? = nil
        ) -> [UInt8] {
            let json = asRow ? row ?? [] : self.json
            let distance = point.flatMap { found.listing.delivery.point?.metres(to: $0) }
            guard distance != nil || part != nil || seller != nil,
                json.last == UInt8(ascii: "}")
            else { return json }
            var more = JSONWriter()
            more.object { more in
                more.field("distance", distance.map { Int($0) })
                more.field("own", part)
                more.field("seller", seller)
            }
            return json.dropLast() + [UInt8(ascii: ",")] + more.bytes.dropFirst()
        }

        /// The approximate memory in bytes: the decoded listing takes as much as its JSON.
        var byteCount: Int { 2 * json.count + (row?.count ?? 0) + 512 }
    }

    /// The state of a listing's sale as of the last event, and whether its offer is open.
    struct Summary: Equatable, Sendable {
        /// The last event of its sale; `nil` if the chain shows no sale.
        let position: EventPosition?
        /// The name of its ``ListingState``.
        let state: String
        /// The record that is shown and the counts of pieces; `nil` for a single thing.
        var record: RecordID?
        var pieces: Client.Listing.Pieces?
    }

    private struct Generations {
        var young: [RecordID: Text] = [:]
        var old: [RecordID: Text] = [:]
        var youngBytes = 0
    }

    private let generations = Mutex(Generations())
    private let bytesMax: Int

    /// - Parameter bytesMax: The maximum size of both generations together.
    init(bytesMax: Int = 32 << 20) {
        self.bytesMax = bytesMax
    }

    /// Returns the kept text of each of these listings; `nil` for those that are not kept.
    func texts(of ids: [RecordID]) -> [Text?] {
        generations.withLock { generations in
            ids.map { id in
                if let text = generations.young[id] { return text }
                guard let text = generations.old[id] else { return nil }
                keep(text, in: &generations)
                return text
            }
        }
    }

    func keep(_ text: Text) { generations.withLock { keep(text, in: &$0) } }

    private func keep(_ text: Text, in generations: inout Generations) {
        if let before = generations.young.updateValue(text, forKey: text.found.record) {
            generations.youngBytes -= before.byteCount
        }
        generations.youngBytes += text.byteCount
        guard generations.youngBytes > bytesMax / 2 else { return }
        generations = Generations(old: generations.young)
    }
}
