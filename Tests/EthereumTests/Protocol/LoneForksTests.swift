import Ethereum
import Testing

struct LoneForksTests {
    private let one = EndpointName("http://a")
    private let other = EndpointName("http://b")

    @Test func `an endpoint may be alone for as long as others need`() {
        var forks = LoneForks(patience: .seconds(60))
        let seen = [0, 59, 60, 200].map { forks.saw(one, at: .seconds($0)) }
        #expect(seen == [false, false, true, true])
        // Each endpoint by itself.
        let isOtherLate = forks.saw(other, at: .seconds(200))
        #expect(!isOtherLate)
    }

    @Test func `an endpoint that joins the others begins again`() {
        var forks = LoneForks(patience: .seconds(60))
        _ = forks.saw(one, at: .zero)
        forks.joined(one)
        var isLate = forks.saw(one, at: .seconds(70))
        #expect(!isLate)
        // So does one that nobody has seen alone for long.
        isLate = forks.saw(one, at: .seconds(70 + 181))
        #expect(!isLate)
        isLate = forks.saw(one, at: .seconds(70 + 181 + 60))
        #expect(isLate)
    }
}
