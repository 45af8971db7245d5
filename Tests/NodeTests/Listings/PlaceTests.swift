import Client
import NIOHTTP1
import Support
import Testing

/// The search for towns over the API.
@Suite(.timeLimit(.minutes(2)))
struct PlaceTests {
    @Test func `finds towns without an account and without a chain`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path, flags: try folder.flagsOfAnAwayChain()) { node in
            let found = try await node.call(.GET, "places?search=m%C3%BCnch&limit=1")
            let munich = try found.read([Place].self)
            #expect(munich.map(\.name) == ["Munich"] && munich.map(\.isWhole) == [false])
            let near = try await node.call(.GET, "places?near=37.57,126.98&lang=ko")
            let towns = try near.read([Place].self)
            #expect(towns.count == 20 && towns.first?.name == "서울")
            for (query, field) in [
                ("search=", "search"), ("", "search"), ("search=a&near=1,1", "search"),
                ("near=1", "near"), ("near=91,0", "near"), ("search=a&lang=fr", "lang"),
                ("search=a&limit=0", "limit"), ("search=a&limit=101", "limit"),
            ] {
                let answer = try await node.call(.GET, "places?\(query)")
                #expect(answer.status == 400 && answer.code == "malformed_value", "\(query)")
                #expect(try answer.read(Problem.self).field == field, "\(query)")
            }
        }
    }
}
