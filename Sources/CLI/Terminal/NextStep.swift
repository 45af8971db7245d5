import Client

/// A step that a person can take next, with the command for it.
struct NextStep: Hashable, Sendable {
    /// All steps, in the order in which they are shown.
    enum Kind: Int, CaseIterable, Sendable {
        case address, send, confirm, dispute, claim, takeBack, agree, propose, takeDispute, rule
        case executeDefault, end, raise, begin, cancelRound, leaveRound, evaluate, settle
        case work, collect, review, messages
        case showListing, shareListing, receive, search, list, watch, status
    }

    let kind: Kind
    /// The sale, listing or person that it is about, as a person types it.
    let subject: String
    /// More of the command, such as a share.
    let detail: String

    init(_ kind: Kind, _ subject: String = "", _ detail: String = "") {
        (self.kind, self.subject, self.detail) = (kind, subject, detail)
    }

    /// The words and the command of each step; `@` stands for ``subject``, `+` for ``detail``.
    private var row: (words: String, command: String) {
        switch kind {
        case .address: ("Tell the seller where to send it", "sale address @")
        case .send: ("Send it, then say so", "sale transfer @")
        case .confirm: ("Confirm that it is as promised", "sale confirm @")
        case .dispute: ("If it is not as promised", "sale dispute @")
        case .claim: ("Complete it: the buyer's time has ended", "sale claim @")
        case .takeBack: ("Take your money back: it was not sent in time", "sale refund @")
        case .agree: ("Accept the other side's proposal", "sale agree @+")
        case .propose: ("Propose how to split the price", "sale propose @ --share 50%")
        case .takeDispute: ("Take the dispute, so that you can rule", "sale take @")
        case .rule: ("Rule how the price is split", "sale rule @ --share 50%")
        case .executeDefault: ("End the dispute; both sides lose", "sale default @")
        case .end: ("End the auction: its time is over", "sale end @")
        case .raise: ("Bid more", "sale bid @+")
        case .begin: ("Begin the round", "course begin @")
        case .cancelRound: ("Cancel the round: it was not begun in time", "course cancel @")
        case .leaveRound: ("Get back the price of a cancelled round", "course refund @+")
        case .evaluate: ("Rate the round", "course evaluate @+")
        case .settle: ("Divide the money of the round", "course settle @")
        case .work: ("Get the file", "sale work @")
        case .collect: ("Collect what it credited to you", "wallet collect")
        case .review: ("Review it", "review write @ --stars 5")
        case .messages: ("Read your messages", "chat show @")
        case .showListing: ("See it as others do", "listing show @")
        case .shareListing: ("Pass it on", "listing share @")
        case .receive: ("Get money for purchases and fees", "wallet receive")
        case .search: ("Find something", "listing search @")
        case .list: ("Sell something", "listing create --help")
        case .watch: ("Follow it", "sale watch @")
        case .status: ("See what else waits for you", "status")
        }
    }

    var words: String { row.words }
    /// The command as it is typed.
    var command: String {
        let parts = row.command.split(separator: "@", omittingEmptySubsequences: false)
        let named = parts.joined(separator: subject.contains(" ") ? "'\(subject)'" : subject)
        let whole = named.hasSuffix("+") ? named.dropLast() + detail : named
        return "stoa " + whole.trimmingSuffix(" ")
    }

    var text: String { "\(words): \(command)" }

    /// Formats steps as lines behind one label.
    static func lines(_ steps: [NextStep], label: String = "next  ") -> [String] {
        let blank = String(repeating: " ", count: label.count)
        return steps.enumerated().map { ($0 == 0 ? label : blank) + $1.text }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ end: Character) -> String {
        String(reversed().drop { $0 == end }.reversed())
    }
}
