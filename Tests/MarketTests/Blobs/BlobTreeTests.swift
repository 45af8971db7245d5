import Keys
import Market
import Support
import Testing

struct BlobTreeTests {
    /// A file and its id, computed by a recursive program of its own (RFC 6962, section 2.1).
    struct Vector: Sendable {
        let byteCount: Int
        let root: String
    }

    static let vectors = [
        Vector(
            byteCount: 1,
            root: "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
        ),
        Vector(
            byteCount: 65_535,
            root: "30ee8da22ec1e4a9723b40b36ae73490492554e35be9a67bf09b2f24d0ae0ea5"
        ),
        Vector(
            byteCount: 65_536,
            root: "ff38d9d8eab46490549cd52858e461e8fc46eb23a0776bc1f48e83aa9820aaec"
        ),
        Vector(
            byteCount: 65_537,
            root: "2ddb2d10d6e3ed9efbf088ae2968e6b6bc702ce2e70468ef76ccf737aa511f38"
        ),
        Vector(
            byteCount: 196_608,
            root: "cca1168a38a69c33eb2f6955c2a29b88df464b4024afa81ff4fca5993d49f72f"
        ),
        Vector(
            byteCount: 327_697,
            root: "e6f99814c4546240f615affd6e51fd146cebfbb17667c82698bafc4fcecc5c21"
        ),
        Vector(
            byteCount: 458_751,
            root: "1532f80c4902e0d71abfb3604076c97532c75cc69211d71305f48ed98a13aff1"
        ),
        Vector(
            byteCount: 15_728_640,
            root: "7791ff2544c020d7083477265538d8465b078a3b3f38eab91ea190fbee2c06c3"
        ),
    ]

    /// Byte i is the low byte of 7i + ⌊i/251⌋.
    static func file(_ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) }
    }

    @Test(arguments: vectors)
    func `computes the same id as another program`(_ vector: Vector) throws {
        let file = Self.file(vector.byteCount)
        let root = try #require(Bytes32(hex: vector.root))
        #expect(BlobTree(of: file)?.root == root)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 33, 240])
    func `proves each chunk only at its index and for its chunk count`(_ count: Int) throws {
        let leaves = (0..<count).map { BlobHash.leaf([UInt8($0)]) }
        let tree = try #require(BlobTree(leaves: leaves))

        for chunk in 0..<count {
            let proof = tree.proof(of: chunk)
            func isProved(_ leaf: Bytes32, _ place: Int, _ proof: [Bytes32]) -> Bool {
                BlobTree.proves(leaf, at: place, of: count, by: proof, root: tree.root)
            }
            #expect(proof.count <= BlobTree.proofMax)
            #expect(isProved(leaves[chunk], chunk, proof))
            #expect(!isProved(BlobHash.leaf([0xFF, 0xFF]), chunk, proof))
            #expect(!isProved(leaves[chunk], (chunk + 1) % count, proof) || count == 1)
            #expect(!isProved(leaves[chunk], chunk, proof + [.zero]))
            if !proof.isEmpty {
                #expect(!isProved(leaves[chunk], chunk, Array(proof.dropLast())))
                var spoiled = proof
                spoiled[proof.count - 1] = .zero
                #expect(!isProved(leaves[chunk], chunk, spoiled))
            }
        }
        #expect(!BlobTree.proves(leaves[0], at: -1, of: count, by: [], root: tree.root))
        #expect(!BlobTree.proves(leaves[0], at: count, of: count, by: [], root: tree.root))
        #expect(!BlobTree.proves(leaves[0], at: 0, of: 0, by: [], root: leaves[0]))
    }

    @Test func `cannot prove every chunk for another chunk count`() throws {
        let leaves = (0..<4).map { BlobHash.leaf([UInt8($0)]) }
        let tree = try #require(BlobTree(leaves: leaves))
        func isWhole(of count: Int) -> Bool {
            (0..<count).allSatisfy { chunk in
                leaves.contains { leaf in
                    (0..<4).contains {
                        BlobTree.proves(
                            leaf,
                            at: chunk,
                            of: count,
                            by: tree.proof(of: $0),
                            root: tree.root
                        )
                    }
                }
            }
        }

        #expect(isWhole(of: 4))
        for count in [1, 2, 3, 5, 6, 7, 8] { #expect(!isWhole(of: count), "\(count)") }
    }

    @Test func `does not accept an inner node as a chunk`() throws {
        let (left, right) = (BlobHash.leaf([1]), BlobHash.leaf([2]))

        #expect(BlobHash.leaf(left.bytes + right.bytes) != BlobHash.node(left, right))
    }

    @Test func `an empty file and one longer than 15 MiB have no id`() {
        let long = [UInt8](repeating: 1, count: 15_728_641)
        let lastGood = BlobLength(15_728_640)

        #expect(BlobTree(of: []) == nil)
        #expect(BlobTree(of: long) == nil)
        #expect(BlobLength(0) == nil && BlobLength(-1) == nil && BlobLength(15_728_641) == nil)
        #expect(lastGood?.chunkCount == 240)
        #expect(BlobTree(leaves: []) == nil)
        #expect(BlobTree(leaves: Array(repeating: .zero, count: 241)) == nil)
    }

    @Test(arguments: [1, 65_535, 65_536, 65_537, 15_728_640])
    func `chunks cover a file without gaps or overlaps`(_ byteCount: Int) throws {
        let length = try #require(BlobLength(byteCount))
        var end = 0
        for chunk in 0..<length.chunkCount {
            let range = length.range(of: chunk)
            #expect(range.lowerBound == end)
            #expect((1...BlobLength.chunkByteCountMax).contains(range.count))
            end = range.upperBound
        }

        #expect(end == byteCount)
    }
}
