import Keys
import Testing

@testable import MediaFiles

/// Files that callers have asked for.
struct AskedFilesTests {
    @Test func `a file is fetched once however often it is asked for`() async {
        let asked = AskedFiles()
        let (first, second) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        for _ in 0..<3 { _ = asked.ask(for: first, by: nil, at: .zero) }
        _ = asked.ask(for: second, by: nil, at: .zero)
        #expect(await asked.next() == first)
        #expect(await asked.next() == second)
        #expect(asked.end(first, isHere: true, at: .zero).isEmpty)
        // It may be gone again by now.
        _ = asked.ask(for: first, by: nil, at: .zero)
        #expect(await asked.next() == first)
    }
}
