import Market
import Testing

@testable import Storage

struct NumberedReachesTests {
    private static func reach(_ place: Int) -> ShippingReach { .places(.cities, ["city \(place)"]) }

    @Test func `each reach has one number, or none if there is no room`() {
        let reaches = NumberedReaches(bytesMax: 10 * 150)
        let numbers = (0..<20).map { reaches.number(of: Self.reach($0)) }

        #expect(numbers.prefix(10) == Array(0..<10)[...])
        #expect(numbers.dropFirst(10).allSatisfy { $0 == NumberedReaches.unknown })
        #expect(reaches[NumberedReaches.unknown] == nil)
        for place in 0..<10 {
            #expect(reaches.number(of: Self.reach(place)) == UInt16(place))
            #expect(reaches[UInt16(place)] == Self.reach(place))
        }
    }
}
