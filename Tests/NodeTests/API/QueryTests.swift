import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

/// What stands behind the question mark.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct QueryTests {
    /// - From people: a parameter that the call does not have, comes twice or has no value, or a
    ///   value that is not UTF-8 → malformed_value
    /// - From people: events with an `after` that is not a number → malformed_value
    @Test func `a query may have only its call's parameters, once each`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let token = try await node.signIn("ana").token
            for (path, field) in [
                ("listings?limt=1", "limt"), ("listings?limit=1&limit=2", "limit"),
                ("listings?after=abc", "after"), ("listings?after=+1-0", "after"),
                ("listings?search", "search"), ("listings?search=%FF", "search"),
                ("listings?search=a&", ""),
                ("listings?limi%74=1", "limi%74"), ("sales?after=abc", "after"),
                ("operations?after=abc", "after"), ("conversations?after=abc", "after"),
                ("conversations?requests=1", "requests"), ("wallet?chains=1", "chains"),
                ("node?verbose=1", "verbose"), ("homes?x", "x"), ("events?after=abc", "after"),
                ("events?after=-1", "after"), ("events?after=1&after=2", "after"),
                ("events?before=1", "before"), ("events?after=", "after"), ("events?of=mine", "of"),
            ] {
                let answer = try await node.call(.GET, path, token: token)
                #expect(answer.status == 400 && answer.code == "malformed_value", "\(path)")
                #expect(try answer.read(Problem.self).field == field, "\(path)")
                #expect(
                    try answer.read(Problem.self).detail.contains("no parameter")
                        || !["limt", "x", "chains", "verbose", "before"].contains(field)
                )
            }
            let both = try await node.call(.GET, "reviews?sale=1&listing=2", token: token)
            #expect(both.status == 400 && both.code == "malformed_value")
            for path in ["listings?search=red%20bicycle&limit=5", "listings?", "sales?limit=1"] {
                #expect(try await node.call(.GET, path, token: token).status == 200, "\(path)")
            }
            let events = try await node.call(.GET, "events?after=7", token: token)
            #expect(events.code == "upgrade_needed")
        }
    }

    /// - From people: a body, path or query with more than 30 combining marks in a row, escaped in
    ///   JSON or not → malformed_value
    @Test func `refuses endless marks before it compares text`() async throws {
        try await TestNode.run { node in
            let marks = String(repeating: "\u{315}\u{300}\u{31B}\u{321}", count: 8)
            let escaped = String(repeating: #"\u0315\u0300"#, count: 16)
            for text in [marks, escaped] {
                for body in [
                    #"{"account":"a\#(text)","password":"correct horse"}"#,
                    #"{"account":"ana","password":"correct horse \#(text)"}"#,
                    #"{"account":"ana","password":"correct horse","\#(text)":1}"#,
                ] {
                    let answer = try await node.call(.POST, "sessions", body: body)
                    #expect(answer.status == 400 && answer.code == "malformed_value")
                    let detail = try answer.read(Problem.self).detail
                    #expect(detail.contains("combining marks in a row"))
                }
            }
            let token = try await node.signIn("ana").token
            let query = String(repeating: "%CC%80", count: 31)
            for path in ["listings?search=a\(query)", "listings/a\(query)"] {
                let answer = try await node.call(.GET, path, token: token)
                #expect(answer.status == 400 && answer.code == "malformed_value", "\(path)")
                #expect(try answer.read(Problem.self).detail.contains("marks in a row"))
            }
            // A client would escape what cannot be decoded.
            for path in [
                "listings?search=a\(query)#%zz", "listings?limit=%zz&search=a\(query)",
            ] {
                let answer = try await node.say(
                    "GET /v1/\(path) HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer \(token)"
                        + "\r\nconnection: close\r\n\r\n",
                    to: node.running.api
                )
                #expect(answer.hasPrefix("HTTP/1.1 400"), "\(path): \(answer.prefix(300))")
                #expect(answer.contains("marks in a row"), "\(path): \(answer.prefix(300))")
            }
        }
    }
}
