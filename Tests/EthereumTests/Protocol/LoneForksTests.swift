import Ethereum
import Keys
import Market
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

    private func block(_ number: UInt64, _ byte: UInt8) -> BlockID {
        BlockID(number: number, hash: Bytes32(repeating: byte))
    }

    @Test func `an endpoint has left its fork once others have its newest block`() {
        var forks = LoneForks(patience: .seconds(60))
        _ = forks.saw(one, at: .zero)
        forks.told(block(9, 1), by: one)
        // Nobody else is as far yet, and a later head does not replace the one to be compared.
        forks.compare { _ in nil }
        forks.told(block(10, 1), by: one)
        #expect(forks.alone(at: .zero) == [one])
        forks.compare { $0 == block(9, 1) }
        #expect(forks.alone(at: .zero).isEmpty)
        let isLate = forks.saw(one, at: .seconds(80))
        #expect(!isLate)
    }

    @Test func `a block that others do not have ends no fork`() {
        var forks = LoneForks(patience: .seconds(60))
        _ = forks.saw(one, at: .zero)
        forks.told(block(9, 1), by: one)
        forks.compare { _ in false }
        forks.compare { _ in true }
        #expect(forks.alone(at: .zero) == [one])
        let isLate = forks.saw(one, at: .seconds(80))
        #expect(isLate)
        // It is not asked for its head for ever, and others are not remembered by what they tell.
        #expect(forks.alone(at: .seconds(80 + 181)).isEmpty)
        forks.told(block(9, 1), by: other)
        #expect(forks.alone(at: .seconds(80)) == [one])
    }
}
