import Client
import Foundation
import Support
import Testing

@testable import CLI

@Suite(.timeLimit(.minutes(2)))
struct ArbiterQuestionTests {
    private let choices = [
        ArbiterQuestion.Choice(account: "0x01", name: "Carla", feeMin: "30"),
        ArbiterQuestion.Choice(account: "0x02", name: nil, feeMin: "40"),
    ]
    private let content = ListingContent(
        title: "Bicycle",
        price: Money(amount: "1000000", currency: "native")
    )

    /// - From commands: choosing an arbiter who is neither in the list nor registered → exit 2
    @Test func `chooses an arbiter by number or address, with its fee`() async throws {
        func chosen(_ answer: String, in given: ListingContent? = nil) async throws
            -> EscrowTerms?
        {
            try await ArbiterQuestion.chosen(answer, among: choices, in: given ?? content) {
                $0 == "0x03"
                    ? ArbiterQuestion.Choice(account: $0, name: nil, feeMin: "50") : nil
            }.terms
        }
        for nobody in ["", " ", "0"] { #expect(try await chosen(nobody) == nil) }
        let second = try #require(try await chosen(" 2 "))
        #expect(second.arbiter == "0x02" && second.arbiterFee == "40")
        let other = try #require(try await chosen("0x03"))
        #expect(other.arbiter == "0x03" && other.arbiterFee == "50")
        var given = content
        given.terms = EscrowTerms()
        given.terms?.arbiterFee = "35"
        let first = try #require(try await chosen("1", in: given))
        #expect(first.arbiter == "0x01" && first.arbiterFee == "35")
        for wrong in ["3", "-1", "carla", "0x04"] {
            await #expect(throws: Failure.self) { _ = try await chosen(wrong) }
        }
    }

    @Test func `asks for an arbiter's address if the market names none`() async throws {
        let folder = try TemporaryFolder()
        let answers = try Answers(names: [])
        try await ScriptedServer.scoped(answer: { request, _ in answers.answer(to: request) }) {
            node,
            server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let command = ["draft", "publish", "1"]
            let end = try stoa.run(typing: "0xca\ny\n", command)
            #expect(end.words.contains("An arbiter's address (0): "), "\(end.words)")
            let listed = try #require(try answers.listed(server), "\(end.words)")
            #expect(listed.terms?.arbiter == "0xca" && listed.terms?.arbiterFee == "1")

            let calls = server.requests.count
            let ended = try stoa.run(typing: "0xe1\n\u{04}", command)
            #expect(ended.code == 2 && ended.words.contains("'0xe1' is not registered"))
            #expect(
                !server.requests.dropFirst(calls).contains { $0.uri.hasPrefix("/v1/listings?") }
            )
            let again = try stoa.run(typing: "0xe1\n7\n0xca\ny\n", command)
            #expect(again.code == 0 && again.words.contains("'7' is not in the list"), "\(again)")
            #expect(try answers.listed(server)?.terms?.arbiter == "0xca")
        }
    }

    @Test(arguments: [
        ["draft", "publish", "1"],
        [
            "listing", "create", "Red bicycle", "--price", "0.5ETH", "--description", "Red.",
            "--tag", "bicycle", "--category", "sport", "--identifier", "frame 7",
        ],
    ])
    func `offers a seller at a terminal the arbiters that accept the terms`(
        command: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let answers = try Answers()
        try await ScriptedServer.scoped(answer: { request, _ in answers.answer(to: request) }) {
            node,
            server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let end = try stoa.run(typing: "1\ny\n", command)
            #expect(end.words.contains("Who decides if you and the buyer disagree?"))
            #expect(end.words.contains("1  Carla, 0xca, for 0.000000000000000001 ETH or more"))
            #expect(end.words.contains("Dora, 0xd0 cannot decide disputes about this: Too short."))
            #expect(!end.words.contains("2  ") && !end.words.contains("0xe1"), "\(end.words)")
            let listed = try #require(try answers.listed(server), "\(end.words)")
            #expect(listed.terms?.arbiter == "0xca" && listed.terms?.arbiterFee == "1")

            let nobody = try stoa.run(typing: "\ny\n", command)
            #expect(nobody.words.contains("Number, or an arbiter's address (0): "))
            let unnamed = try #require(try answers.listed(server))
            #expect(unnamed.terms?.arbiter == nil)

            // Who agrees beforehand is asked nothing.
            let asked = server.requests.count
            let quick = try stoa.run(typing: "", command + ["--yes"])
            #expect(!quick.words.contains("Who decides"))
            #expect(!server.requests.dropFirst(asked).contains { $0.uri.contains("arbitration") })
        }
    }

    /// A node whose market names three arbiters: one whom the sample's terms take, one who is not
    /// registered for long enough, and one who decides in no such currency.
    private struct Answers {
        private let samples = try? SampleAnswers()
        private let chains: String
        private let registered: [String: String]
        private let tooShort: String

        init(
            names: [(String, String)] = [("0xca", "Carla"), ("0xd0", "Dora"), ("0xe1", "Eli")]
        ) throws {
            let chain = ChainStatus(
                chain: 1,
                health: "ready",
                detail: nil,
                head: nil,
                headTime: nil,
                item: "0x1",
                contracts: [],
                arbiters: names.map { ChainStatus.Arbiter(account: $0.0, name: $0.1) }
            )
            chains = try Self.text([chain])
            let terms = Arbitration(feeMin: "1", until: 2_000_000_000)
            registered = ["0xca": try Self.text([terms]), "0xd0": try Self.text([terms])]
            tooShort = try Self.text(
                Problem(
                    type: "",
                    title: "",
                    status: 400,
                    detail: "Too short.",
                    code: ProblemCode.badTerms.rawValue,
                    field: "terms.offerUntil"
                )
            )
        }

        func answer(to request: ScriptedServer.Request) -> ScriptedServer.Answer {
            let parts = request.uri.split(separator: "?")
            if parts[0] == "/v1/chains" { return .json(200, chains) }
            if parts[0] == "/v1/arbitration" {
                let asked = registered.first { parts.last?.contains("account=\($0.key)") == true }
                return .json(200, asked?.value ?? "[]")
            }
            if request.body.contains("0xd0") { return .json(400, tooShort) }
            return samples?.answer(to: request) ?? .hangUp
        }

        /// What the newest call lists.
        func listed(_ server: ScriptedServer) throws -> ListingContent? {
            let calls = server.requests.filter {
                $0.method == "POST" && $0.uri.hasPrefix("/v1/listings?")
            }
            return try calls.last.map {
                try WireCoding.decoder().decode(ListingContent.self, from: Data($0.body.utf8))
            }
        }

        private static func text(_ value: some Encodable) throws -> String {
            String(decoding: try WireCoding.encoder().encode(value), as: UTF8.self)
        }
    }
}
