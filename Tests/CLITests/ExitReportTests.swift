import ArgumentParser
import Client
import Cluster
import Foundation
import Setup
import Testing
import Texts

@testable import CLI

/// The command's own types are seen by nothing but the command, hence the testable import.
struct ExitReportTests {
    @Test(arguments: [
        (ProblemCode.wrongPassword, ExitReport.Code.notAllowed), (.notYourSale, .notAllowed),
        (.ownListing, .refused), (.insufficientBalance, .refused), (.reviewRefused, .refused),
        (.alreadyReviewed, .refused),
        (.chainAway, .network), (.badAmount, .usage), (.internalError, .failed),
    ])
    func `a problem exits with the code of its kind`(code: ProblemCode, ending: ExitReport.Code) {
        let problem = Problem(
            type: "",
            title: "",
            status: code.status,
            detail: "What to do.",
            code: code.rawValue
        )
        #expect(ExitReport(problem) == ExitReport(ending, "What to do.", problem: code.rawValue))
    }

    /// - From commands: a node that is too slow → exit 8
    @Test func `network, time, configuration and folder errors have their own codes`() throws {
        let node = NodeAddress(host: "a", port: 1)
        #expect(ExitReport(ClientError.unreachable(node, reason: "")).code == .network)
        #expect(ExitReport(ClientError.timedOut(node)).code == .timedOut)
        let error = ConfigurationError.unknownKey("a", nearest: "b", origin: "c")
        #expect(ExitReport(error).code == .configuration)
        #expect(ExitReport(DataFolderError.missing(path: "x")).code == .configuration)
        #expect(ExitReport(ClusterError.none(folder: "x")).code == .configuration)
    }

    /// - From commands: an unknown or missing word, flag or value → exit 2
    /// - From commands: a duration and a time at once, or an amount to collect without its currency
    ///   → exit 2
    @Test(arguments: [
        ["nonsense"], ["sale", "propose", "1"], ["sale", "agree", "1"], ["review", "list"],
        ["sale", "propose", "1", "--share", "50%", "--for", "3d", "--until", "2030-01-31"],
        ["wallet", "collect", "--amount", "1"], ["sale", "rule", "1", "--share", "100.01%"],
        ["sale", "propose", "1", "--share", "101%"], ["sale", "agree", "1", "--share", "101%"],
        ["review", "write", "1", "--stars", "6"],
        ["cluster", "up", "--rpc", "http://a"], ["node", "run", "extra"],
        ["account", "sign-in", "ana", "--password-stdin", "--password-file", "x"],
    ])
    func `wrong input exits with 2`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Stoa.parseAsRoot(arguments) }
        #expect(error.map { ExitReport($0).code } == .usage)
    }

    @Test func `help and version exit with 0`() {
        for arguments in [["--help"], ["--version"], ["sale", "buy", "--help"]] {
            let error = #expect(throws: (any Error).self) {
                var command = try Stoa.parseAsRoot(arguments)
                try command.run()
            }
            #expect(error.map { ExitReport($0).code } == .ok)
        }
    }

    @Test func `a refusal has all digits of its amounts where they are asked for`() throws {
        var problem = Problem(
            type: "",
            title: "",
            status: ProblemCode.badTerms.status,
            detail: "≈ 1.234568 ETH of what is locked is lost.",
            reason: [Sentence("escrow.lost", ["amount": "1234567890123456789 native 1"])],
            code: ProblemCode.badTerms.rawValue
        )
        func read(in units: CurrencyUnits?) throws -> String {
            let sent = try JSONEncoder().encode(problem)
            return try Sentence.$unitsRead.withValue(units) {
                ExitReport(try JSONDecoder().decode(Problem.self, from: sent)).message
            }
        }
        #expect(try read(in: nil) == problem.detail)
        let whole = "1.234567890123456789 ETH of what is locked is lost."
        #expect(try read(in: CurrencyUnits()) == whole)
        problem.reason = nil
        #expect(try read(in: CurrencyUnits()) == problem.detail)
    }

    @Test func `reports errors to programs as JSON`() {
        let ending = ExitReport(.refused, "No.", problem: "own_listing")
        #expect(ending.json == #"{"code":"own_listing","detail":"No.","exit":10}"#)
        let own = ExitReport(Failure(.usage, "Nothing was signed."))
        #expect(own.json == #"{"code":"usage","detail":"Nothing was signed.","exit":2}"#)
        let node = NodeAddress(host: "a", port: 1)
        #expect(ExitReport(ClientError.timedOut(node)).json.hasPrefix(#"{"code":"timed_out","#))
    }

    @Test func `reports a parser's error as JSON without the usage`() throws {
        let error = #expect(throws: (any Error).self) {
            try Stoa.parseAsRoot(["review", "list", "--json"])
        }
        let json = ExitReport(try #require(error)).json
        let words = "Give one of --listing, --account and --sale."
        #expect(json == #"{"code":"usage","detail":"\#(words)","exit":2}"#)
    }

    /// - From commands: a problem that a preview finds → the exit code of the most
    ///   important problem
    @Test func `an obstacle in a preview keeps its code and names the option`() {
        var preview = ActionPreview(action: "buy", summary: [])
        #expect(ConsentOptions.refusal(of: preview) == nil)
        for (code, field) in [(ProblemCode.chainStale, nil), (.shippingNotPossible, "shipTo")] {
            preview.problems.append(
                Problem(
                    type: "",
                    title: "",
                    status: code.status,
                    detail: "\(code.rawValue).",
                    code: code.rawValue,
                    field: field
                )
            )
        }
        let words = "chain_stale.\nshipping_not_possible. The option is --ship-to."
        #expect(
            ConsentOptions.refusal(of: preview, arguments: ["sale", "buy", "bicycle"])
                == Failure(.network, words, problem: "chain_stale")
        )
    }
}
