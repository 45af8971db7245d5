import Foundation
import Keys

/// An account of a node under test, signed in.
struct BenchmarkAccount {
    private struct Credentials: Encodable {
        var name: String?
        var account: String?
        let password = "correct horse battery"
        var phrase: String?
    }

    private struct Session: Decodable {
        struct Account: Decodable { let address: String }
        let token: String
        let account: Account
    }

    /// A test vector of BIP-39; what these accounts own is play money.
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// The account's key, so that an attacker can sign as its owner would.
    static func key() throws -> PrivateKey {
        try AccountKeys(seed: RecoveryPhrase(text: phrase).seed()).key(0)
    }

    let address: String
    /// Calls the node's API as the account.
    let caller: LoopbackCaller

    /// Opens one at the node whose API has this port.
    init(port: UInt16) throws {
        let guest = LoopbackCaller(port: port)
        let made = try guest.call(
            "POST",
            "/v1/accounts",
            body: Credentials(name: "seller", phrase: Self.phrase)
        )
        guard made.status == 201 else {
            throw BenchmarkFault.refused(made.status, String(decoding: made.body, as: UTF8.self))
        }
        let session: Session =
            try guest
            .call("POST", "/v1/sessions", body: Credentials(account: "seller")).read()
        address = session.account.address
        caller = LoopbackCaller(port: port, token: session.token)
    }
}
