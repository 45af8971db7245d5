import Keys
import Support
import Testing

@testable import MediaFiles

/// Files that callers have asked for.
struct AskedFilesTests {
    @Test func `a file is fetched once however often it is asked for`() async {
        let asked = AskedFiles()
        let (first, second) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        for _ in 0..<3 { _ = asked.ask(for: first, by: .thisMachine, at: .zero) }
        _ = asked.ask(for: second, by: .thisMachine, at: .zero)
        #expect(await asked.next() == first)
        #expect(await asked.next() == second)
        #expect(asked.end(first, isHere: true, at: .zero).isEmpty)
        // It may be gone again by now.
        _ = asked.ask(for: first, by: .thisMachine, at: .zero)
        #expect(await asked.next() == first)
    }

    @Test func `slow files of one asker leave others their turns`() async {
        let asked = AskedFiles()
        let (one, two) = (MediaCaller.thisMachine, MediaCaller.account(testKey(1).address))
        let ids = (0..<100).map { Bytes32(repeating: UInt8($0)) }
        for id in ids[..<50] { #expect(asked.ask(for: id, by: one, at: .zero) == .seconds(2)) }
        for id in ids[50..<52] { _ = asked.ask(for: id, by: two, at: .zero) }
        var begun: [Bytes32] = []
        for _ in 0..<4 { if let id = await asked.next() { begun.append(id) } }
        #expect(begun == [ids[0], ids[50], ids[1], ids[51]])
        // It has its share of the fetches until one of them ends.
        for _ in 2..<AskedFiles.askerFetchesMax { _ = await asked.next() }
        _ = asked.ask(for: ids[60], by: two, at: .zero)
        #expect(await asked.next() == ids[60])
        _ = asked.end(ids[0], isHere: false, at: .zero)
        #expect(await asked.next() == ids[AskedFiles.askerFetchesMax])
    }

    @Test func `a file comes sooner with an asker who asks for fewer`() async {
        let asked = AskedFiles()
        let account = testKey(1).address
        let ids = (0..<30).map { Bytes32(repeating: UInt8($0)) }
        for id in ids { _ = asked.ask(for: id, by: .thisMachine, at: .zero) }
        _ = asked.ask(for: ids[29], by: .account(account), at: .zero)
        #expect(await asked.next() == ids[0])
        #expect(await asked.next() == ids[29])
        #expect(asked.end(ids[29], isHere: true, at: .zero) == [account])
        #expect(await asked.next() == ids[1])
    }

    /// - From people: more missing files than have a place → media_unavailable, with a longer
    ///   `Retry-After`
    @Test func `an asker with many files has to wait longer`() {
        let asked = AskedFiles()
        func id(_ number: Int) -> Bytes32 { Keccak256.hash("\(number)".utf8) }
        for number in 0..<AskedFiles.askerFilesMax {
            #expect(asked.ask(for: id(number), by: .thisMachine, at: .zero) == .seconds(2))
        }
        #expect(asked.ask(for: id(-1), by: .thisMachine, at: .zero) == .seconds(15))
        #expect(asked.ask(for: id(0), by: .thisMachine, at: .zero) == .seconds(2))
        let other = MediaCaller.account(testKey(1).address)
        #expect(asked.ask(for: id(-1), by: other, at: .zero) == .seconds(2))
    }
}
