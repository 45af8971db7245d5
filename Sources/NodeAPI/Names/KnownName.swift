import Answers
import Client

/// A name by which a caller knows an account.
struct KnownName: Sendable {
    let account: String
    let name: String
    /// Whether it is an account of this node that the caller may know.
    let isHere: Bool
    /// Whether the caller has given it the name; otherwise it has chosen the name itself.
    let isGiven: Bool

    /// As one of several that a person's text may mean.
    var candidate: NamedID {
        NamedID(id: account, Sentence("match.name", ["id": account, "name": name]))
    }

    var shown: AccountName {
        AccountName(account: account, name: name, isHere: isHere, isNamedByCaller: isGiven)
    }
}
