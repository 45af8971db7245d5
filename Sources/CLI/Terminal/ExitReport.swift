import ArgumentParser
import Client
import Foundation
import Setup

/// The exit code and the final message of a command.
///
/// Source: Docs/cli.md, section 4.
struct ExitReport: Equatable, Sendable {
    /// The exit codes of the program.
    enum Code: Int32, Sendable {
        case ok = 0
        case failed = 1
        case usage = 2
        case configuration = 4
        case locked = 5
        case schema = 6
        case network = 7
        case timedOut = 8
        case notAllowed = 9
        case refused = 10
        /// Interrupted by Ctrl-C: 128 plus the number of SIGINT, as in shells.
        case interrupted = 130

        /// The `code` of an error in JSON that the command finds itself.
        var name: String {
            switch self {
            case .ok: "ok"
            case .failed: "failed"
            case .usage: "usage"
            case .configuration: "configuration"
            case .locked: "folder_in_use"
            case .schema: "other_version"
            case .network: "network"
            case .timedOut: "timed_out"
            case .notAllowed: "not_allowed"
            case .refused: "refused"
            case .interrupted: "interrupted"
            }
        }
    }

    let code: Code
    let message: String
    /// The API's problem code, if the API refused the call.
    var problem: String?
    /// The error without the usage, if the message is the argument parser's.
    private var parsersReason: String?

    init(_ code: Code, _ message: String, problem: String? = nil) {
        (self.code, self.message, self.problem) = (code, message, problem)
    }

    /// Creates the report for an error of any kind.
    init(_ error: any Error) {
        switch error {
        case let error as Failure:
            self.init(error.code, error.message, problem: error.problem)
        case let problem as Problem:
            self.init(Self.code(of: problem), ProblemText.words(problem), problem: problem.code)
        case let error as ClientError:
            self.init(Self.code(of: error), "\(error)")
        case is CancellationError:
            self.init(.interrupted, "Interrupted.")
        default:
            if let reason = StartFailure(error) {
                self.init(Self.code(of: reason.kind), reason.message)
            } else {
                self.init(parsing: error)
            }
        }
    }

    private init(parsing error: any Error) {
        let exit = Stoa.exitCode(for: error)
        let code: Code =
            switch exit {
            case .success: .ok
            case .validationFailure: .usage
            default: .failed
            }
        let message = Stoa.fullMessage(for: error)
        let path = CommandPath(Array(CommandLine.arguments.dropFirst()))
        self.init(code, code == .ok ? path.adding(examplesTo: message) : message)
        if code != .ok { parsersReason = Stoa.message(for: error) }
    }

    private static func code(of problem: Problem) -> Code {
        guard let code = ProblemCode(rawValue: problem.code) else { return .failed }
        return switch code {
        case .signInNeeded, .wrongPassword, .passwordNeeded, .tooManyTries, .strangeHost,
            .strangeOrigin, .operatorNeeded, .notAllowed, .notYourSale, .nodeLocked:
            .notAllowed
        case .chainAway, .wrongChain, .wrongMarket, .chainStale, .clockWrong, .peerUnreachable,
            .shuttingDown:
            .network
        case .malformedJSON, .malformedValue, .badPhrase, .badKey, .badAddress, .badAmount,
            .ambiguousID, .ambiguousChain:
            .usage
        case .bodyTooLarge, .headersTooLarge, .methodNotAllowed,
            .upgradeNeeded, .keyNeeded, .internalError, .storeFull, .mediaUnavailable,
            .mediaNoRoom,
            .rangeNotSatisfiable:
            .failed
        case .notFound, .unsupportedMediaType, .badMedia, .unknownMedia, .nameTaken, .accountBusy,
            .weakPassword,
            .badTerms, .badListing,
            .unknownListing, .unknownChain,
            .ownListing, .listingGone, .bidTooLow, .notAsPromised, .shippingNotPossible,
            .insufficientBalance,
            .unknownSale, .moveNotOpen, .contractRefused, .notFinalYet, .oneSource,
            .reviewRefused, .alreadyReviewed, .reportsNotTaken,
            .unknownConversation, .unknownRecipient, .messageTooLong, .homeRefused,
            .unknownOperation, .keyReused, .inProgress, .waitedTooLong, .feeAboveLimit,
            .signsElsewhere, .badSignature:
            .refused
        }
    }

    private static func code(of error: ClientError) -> Code {
        switch error {
        case .badAddress, .badID: .usage
        case .unreachable, .silent: .network
        case .timedOut: .timedOut
        case .oversized, .unexpected: .failed
        }
    }

    private static func code(of kind: StartFailure.Kind) -> Code {
        switch kind {
        case .configuration: .configuration
        case .locked: .locked
        case .schema: .schema
        case .network: .network
        case .refused: .refused
        case .usage: .usage
        case .failed: .failed
        }
    }

    /// Prints the message and ends the process with the exit code.
    func exit(asJSON isJSON: Bool) -> Never {
        if code == .ok {
            if !message.isEmpty { Terminal.print(message) }
            if let failure = OutputFailure.ending { ExitReport(failure).exit(asJSON: isJSON) }
        } else if isJSON {
            Terminal.warn(json: json)
        } else if !message.isEmpty {
            // The argument parser's messages begin so.
            let prefix = "Error: "
            Terminal.fail(String(message.dropFirst(message.hasPrefix(prefix) ? prefix.count : 0)))
        }
        Foundation.exit(code.rawValue)
    }

    /// The report as JSON, with the keys `code`, `detail` and `exit`.
    ///
    /// `code` is the problem's, or else the name of the exit code.
    var json: String {
        let words = Words(
            code: problem ?? code.name,
            detail: parsersReason ?? message,
            exit: code.rawValue
        )
        // Strings and a number can always be encoded.
        return (try? DisplayText.json(words)) ?? "{}"
    }

    private struct Words: Encodable {
        let code: String
        let detail: String
        let exit: Int32
    }
}

/// An error that the command itself finds, not the node.
struct Failure: Error, Equatable, Sendable {
    let code: ExitReport.Code
    let message: String
    /// The problem code of the API that it represents, if there is one.
    let problem: String?

    init(_ code: ExitReport.Code, _ message: String, problem: String? = nil) {
        (self.code, self.message, self.problem) = (code, message, problem)
    }
}
