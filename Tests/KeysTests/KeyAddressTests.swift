import Foundation
import Keys
import Support
import Testing

struct KeyAddressTests {
    private struct Vector: Decodable {
        let key: String
        let addr: String
    }

    @Test func `derives the addresses of the published keys`() throws {
        let path = "ethereum-tests/keyaddrtest.json"
        guard VectorFolder.isPresent else {
            print("\(path): absent, passed over")
            return
        }
        let data = try Data(contentsOf: VectorFolder.file(path))
        let vectors = try JSONDecoder().decode([Vector].self, from: data)
        for vector in vectors {
            let bytes = try #require(Hex.decode(vector.key))
            let key = try #require(PrivateKey(SecretBytes(copying: bytes)))
            #expect(Hex.encode(key.address.bytes) == vector.addr)
        }
        #expect(!vectors.isEmpty)
        print("\(path): \(vectors.count) cases")
    }
}
