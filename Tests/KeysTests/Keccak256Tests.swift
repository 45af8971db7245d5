import Keys
import Testing

struct Keccak256Tests {
    @Test(arguments: [
        ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
        ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    ])
    func `hashes as Ethereum does`(message: String, hash: String) {
        #expect(Keccak256.hash(message.utf8).hex == "0x" + hash)
    }

    @Test(arguments: [0, 1, 135, 136, 137, 271, 272, 273, 1000])
    func `computes the same hash however the message is split`(length: Int) {
        let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for cut in stride(from: 0, through: length, by: max(1, length / 7)) {
            var hasher = Keccak256()
            hasher.update(message[..<cut])
            hasher.update(message[cut...])
            #expect(hasher.finalize() == Keccak256.hash(message))
        }
    }
}
