import ArgumentParser
import Client
import Foundation
import Node
import Testing

@testable import CLI

/// The command's own types are seen by nothing but the command, hence the testable import.
struct EndingTests {
    @Test(arguments: [
        (ProblemCode.wrongPassword, Ending.Code.notAllowed), (.notYourSale, .notAllowed),
        (.ownListing, .refused), (.insufficientBalance, .refused), (.reviewRefused, .refused),
        (.chainAway, .network), (.badAmount, .usage), (.internalError, .failed),
    ])
    func `a problem ends with the code of its kind`(code: ProblemCode, ending: Ending.Code) {
        let problem = Problem(
            type: "",
            title: "",
            status: code.status,
            detail: "What to do.",
            code: code.rawValue
        )
        #expect(Ending(problem) == Ending(ending, "What to do.", problem: code.rawValue))
    }

    @Test func `network, time, configuration and folder have codes of their own`() throws {
        let node = NodeAddress(host: "a", port: 1)
        #expect(Ending(ClientError.unreachable(node, reason: "")).code == .network)
        #expect(Ending(ClientError.timedOut(node)).code == .timedOut)
        let error = ConfigurationError.unknownKey("a", nearest: "b", origin: "c")
        #expect(Ending(error).code == .configuration)
        #expect(Ending(DataFolderError.missing(path: "x")).code == .configuration)
        #expect(Ending(ClusterError.none(folder: "x")).code == .configuration)
    }

    @Test(arguments: [
        ["nonsense"], ["sale", "settle", "1"], ["review", "list"],
        ["cluster", "up", "--rpc", "http://a"], ["node", "run", "extra"],
        ["account", "sign-in", "ana", "--password-stdin", "--password-file", "x"],
    ])
    func `what is typed wrong ends with 2`(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Stoa.parseAsRoot(arguments) }
        #expect(error.map { Ending($0).code } == .usage)
    }

    @Test func `help and version are no failures`() {
        for arguments in [["--help"], ["--version"], ["sale", "buy", "--help"]] {
            let error = #expect(throws: (any Error).self) {
                var command = try Stoa.parseAsRoot(arguments)
                try command.run()
            }
            #expect(error.map { Ending($0).code } == .ok)
        }
    }

    @Test func `programs are told in JSON`() {
        let ending = Ending(.refused, "No.", problem: "own_listing")
        #expect(ending.json == #"{"code":"own_listing","detail":"No.","exit":10}"#)
    }
}
