import Ethereum
import Keys
import Testing

struct BlockIDTests {
    @Test func `distinguishes two blocks at the same height`() {
        #expect(
            BlockID(number: 1, hash: .zero) != BlockID(number: 1, hash: Bytes32(repeating: 1))
        )
    }
}
