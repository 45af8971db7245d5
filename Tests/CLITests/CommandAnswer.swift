import Foundation

/// A command that comes to its end, and what a person and a program must then see of it.
struct CommandAnswer: Sendable {
    /// What the command prints for programs.
    enum Form: Sendable {
        /// The answer of the call, as the node gave it.
        case whole
        /// The answer's field of this name.
        case field(String)
        /// A list with the answer alone.
        case list
        /// Texts that are the command's own, by the names of their fields.
        case own([String: String])
        case nothing
    }

    /// The command as it is typed after `stoa`.
    let typed: String
    /// The call that it must make, below `/v1/`.
    let call: String
    /// Parts of the call's query or body.
    let sends: [String]
    /// Parts of what it prints for people.
    let prints: [String]
    /// The call whose answer it prints for programs.
    private(set) var shown: String
    private(set) var form: Form
    /// The name by which it must look up an own listing first; `nil` if it need not.
    private(set) var ownListing: String?
    /// What is typed on standard input.
    private(set) var input: String

    init(
        _ typed: String,
        _ call: String,
        sends: String...,
        prints: String...,
        shown: String? = nil,
        form: Form = .whole,
        ownListing: String? = nil,
        input: String = ""
    ) {
        self.init(typed, call, sends: sends, prints: prints)
        (self.shown, self.form, self.input) = (shown ?? call, form, input)
        self.ownListing = ownListing
    }

    init(_ typed: String, _ call: String, sends: [String], prints: [String]) {
        (self.typed, self.call, self.sends, self.prints) = (typed, call, sends, prints)
        (shown, form, input) = (call, .whole, "")
    }

    /// The words of the command as a shell splits them.
    var words: [String] { ShellWords.split(typed) }

    /// Returns what is wrong with what it printed for programs; `nil` if nothing is.
    func fault(in out: String, _ answers: DocumentAnswers) throws -> String? {
        if case .nothing = form { return out.isEmpty ? nil : "not empty: \(out)" }
        let printed = try Self.value(out)
        if case .own(let texts) = form {
            let object = (printed as? [NSDictionary])?.first ?? printed as? NSDictionary
            let isOwn = texts.allSatisfy { object?[$0] as? String == $1 }
            return isOwn ? nil : "other texts: \(out)"
        }
        guard let body = answers.body(of: shown) else { return "no call \(shown)" }
        var wanted = try Self.value(body)
        if case .field(let name) = form {
            guard let field = (wanted as? NSDictionary)?[name] as? NSObject else {
                return "no field \(name)"
            }
            wanted = field
        }
        if case .list = form { wanted = [wanted] as NSArray }
        return printed == wanted ? nil : "\(out) is not \(wanted)"
    }

    private static func value(_ json: String) throws -> NSObject {
        let value = try JSONSerialization.jsonObject(
            with: Data(json.utf8),
            options: .fragmentsAllowed
        )
        return switch value {
        case let list as [Any]: list as NSArray
        case let object as [String: Any]: object as NSDictionary
        default: NSNull()
        }
    }
}

/// Splits a command line at its spaces, but not within single quotes.
enum ShellWords {
    static func split(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .flatMap { place, part in
                place % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
            }
    }
}
