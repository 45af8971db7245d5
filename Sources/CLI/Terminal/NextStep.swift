import Texts

/// A step that a person can take next, with the command for it.
struct NextStep: Hashable, Sendable {
    /// All steps, in the order in which they are shown.
    enum Kind: Int, CaseIterable, Sendable {
        case address, sending, awaitAddress, agree, send, handOver, ready, pickUp, release, work,
            confirm
        case dispute, claim, takeBack, propose, giveBack, takeDispute, rule
        case executeDefault, end, raise, begin, cancelRound, leaveRound, evaluate, settle
        case acceptOffer, payOffer, reopen, offers
        case collect, review, messages
        case showListing, shareListing, receive, fund, search, list, watch, status
    }

    let kind: Kind
    /// The sale, listing or person that it is about, as a person types it.
    let subject: String
    /// More of the command, such as a share.
    let detail: String

    init(_ kind: Kind, _ subject: String = "", _ detail: String = "") {
        (self.kind, self.subject, self.detail) = (kind, subject, detail)
    }

    /// The command of each step; `@` stands for ``subject``, `+` for ``detail``.
    ///
    /// A value that gives something away, or that the node does not know, is left to the person:
    /// such as `<per cent>`.
    private var pattern: String {
        switch kind {
        case .address: "sale address @"
        case .sending: "operation wait @"
        case .awaitAddress: "sale watch @"
        case .send, .release, .handOver, .ready: "sale transfer @"
        case .pickUp: "listing show @"
        case .confirm: "sale confirm @"
        case .dispute: "sale dispute @"
        case .claim: "sale claim @"
        case .takeBack, .giveBack: "sale refund @"
        case .agree: "sale agree @+"
        case .propose: "sale propose @ --share <per cent>"
        case .takeDispute: "sale take @"
        case .rule: "sale rule @ --share <per cent>"
        case .executeDefault: "sale default @"
        case .end: "sale end @"
        case .raise: "sale bid @+"
        case .begin: "course begin @"
        case .cancelRound: "course cancel @"
        case .leaveRound: "course refund @+"
        case .evaluate: "course evaluate @+"
        case .settle: "course settle @"
        case .acceptOffer: "sale accept @"
        case .payOffer: "sale buy @"
        case .reopen: "listing reopen @"
        case .offers: "sale offers"
        case .work: "sale work @"
        case .collect: "wallet collect"
        case .review: "review write @ --stars <1 to 5>"
        case .messages: "chat show @"
        case .showListing: "listing show @"
        case .shareListing: "listing share @"
        case .receive: "wallet receive"
        case .fund: "cluster fund @ --folder <the cluster's folder>"
        case .search: "listing search @"
        case .list: "listing create --help"
        case .watch: "sale watch @"
        case .status: "status"
        }
    }

    var words: String { SentencePatterns.english.words(for: "\(kind)", in: "next") }
    /// The command as it is typed.
    var command: String {
        let parts = pattern.split(separator: "@", omittingEmptySubsequences: false)
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
