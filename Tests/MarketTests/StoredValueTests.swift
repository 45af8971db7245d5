import Keys
import Market
import Testing
import Texts

struct StoredValueTests {
    private static let place = Sentence("progress.place", ["place": "1", "count": "2"])

    @Test(arguments: [
        Sentence("refusal.triesAgain"), Self.place,
        // A later version may know neither the code nor the value.
        Sentence(code: "later.code", values: ["new": "1"], detail: "One of many."),
    ])
    func `reads back a sentence with its text, and refuses truncated bytes`(
        sentence: Sentence
    ) throws {
        let bytes = sentence.storedBytes
        #expect(try Sentence(storedBytes: bytes) == sentence)
        for count in bytes.indices {
            #expect(throws: StoredValueError.self) {
                try Sentence(storedBytes: Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `writes named texts in the order of their names`() throws {
        var writer = StoredWriter()
        writer.write(["b": "2", "a": "1", "c": ""])
        let text: (UInt8) -> [UInt8] = { [0, 0, 0, 0, 0, 0, 0, 1, $0] }
        let (none, three) = ([UInt8](repeating: 0, count: 8), [0, 0, 0, 0, 0, 0, 0, 3] as [UInt8])
        let bytes = three + text(0x61) + text(0x31) + text(0x62) + text(0x32) + text(0x63) + none
        #expect(writer.bytes == bytes)
        var reader = StoredReader(bytes)
        #expect(try reader.texts() == ["a": "1", "b": "2", "c": ""])
    }
}
