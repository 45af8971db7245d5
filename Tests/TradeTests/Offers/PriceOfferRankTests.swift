import Foundation
import Testing

@testable import Trade

struct PriceOfferRankTests {
    @Test func `strangers' offers hide no others, however many they are`() {
        var offers: [(rank: PriceOfferRank, sentAt: Date)] = [
            (.own, .distantPast), (.contact, .distantPast),
        ]
        for seconds in 0..<1_000 {
            offers.append((.request, Date(timeIntervalSince1970: TimeInterval(seconds))))
        }
        let shown = PriceOfferRank.select(offers, { $0.rank }, sentAt: { $0.sentAt })
        let requests = shown.filter { $0.rank == .request }
        #expect(requests.count == PriceOfferRank.request.shownMax)
        #expect(requests.first?.sentAt == Date(timeIntervalSince1970: 999))
        #expect(Set(shown.map(\.rank)) == Set(PriceOfferRank.allCases))
        #expect(shown.map(\.sentAt) == shown.map(\.sentAt).sorted(by: >))
    }
}
