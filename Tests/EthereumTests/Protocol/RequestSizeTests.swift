import Ethereum
import Support
import Testing

struct RequestSizeTests {
    /// Makes requests of the present size to an endpoint with a limit; returns how many it refused.
    private func ask(_ size: inout RequestSize, times: Int, limit: Int) -> Int {
        var refused = 0
        for _ in 0..<times {
            if size.size <= limit {
                size.answered(size.size)
            } else {
                size.refused(size.size)
                refused += 1
            }
        }
        return refused
    }

    @Test(arguments: [1, 2, 7, 10, 100, 999])
    func `finds the largest accepted size and rarely asks for more`(limit: Int) {
        var size = RequestSize(sizeMax: 1_000)
        _ = ask(&size, times: 10, limit: limit)
        #expect(size.size <= limit && size.size * 2 > limit / 2)
        // Each trial comes after twice as many answers as the one before.
        #expect(ask(&size, times: 10_000, limit: limit) < 20)
        #expect(size.size <= 2 * limit)
    }

    @Test func `grows again once the endpoint's limit is gone`() {
        var size = RequestSize(sizeMax: 1_000)
        _ = ask(&size, times: 100, limit: 1)
        #expect(ask(&size, times: 300, limit: 1_000) == 0)
        #expect(size.size == 1_000 && !size.isLimited)
    }

    @Test func `neither small requests nor late refusals change the size`() {
        var size = RequestSize(sizeMax: 1_000)
        size.refused(1_000)
        for _ in 0..<100 { size.answered(1) }
        #expect(size.size == 500)
        size.refused(1_000)
        #expect(size.size == 500)
        size.refused(40)
        #expect(size.size == 20)
        size.refused(1)
        #expect(size.size == 1)
    }
}
