import Concurrency
import Testing

struct ProcessorsTests {
    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 100, 1_001], [1, 2, 3, 5])
    func `gives each element to one part, in order`(count: Int, partsMax: Int) {
        let numbers = Array(0..<count)
        let parts = Processors.map(numbers, partsMax: partsMax) { Array($0) }
        #expect(parts.flatMap(\.self) == numbers)
        #expect((1...partsMax).contains(parts.count))
        #expect(parts.count == 1 || parts.allSatisfy { $0.count >= 8 })
    }
}
