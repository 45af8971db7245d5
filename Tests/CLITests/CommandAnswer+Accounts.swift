/// The commands about accounts, messages and the node.
extension CommandAnswer {
    private typealias Answer = CommandAnswer

    static let accounts: [CommandAnswer] = {
        let (account, id) = (DocumentAnswers.account, DocumentAnswers.id)
        let word = "correct horse\n"
        return [
            Answer(
                "account list",
                "GET accounts",
                prints: "ana",
                account,
                "unlocked",
                "deliver until 2026-01-01 00:00:00Z"
            ),
            Answer(
                "account create ana --password-stdin",
                "POST accounts",
                sends: #""name":"ana","password":"correct horse""#,
                prints: "Account ana: " + account,
                "Recovery phrase, shown only once",
                "Signed in as ana (\(account)). The session ends 2026-01-01 00:00:00Z, or when",
                input: word
            ),
            Answer(
                "account recover ana --phrase-file phrase --password-stdin",
                "POST accounts",
                sends: #""phrase":"one two three""#,
                prints: "Account ana: " + account,
                "stoa account recovery",
                input: word
            ),
            Answer(
                "account import ana --private-key-file phrase --password-stdin",
                "POST accounts/import",
                sends: #""privateKey":"one two three""#,
                prints: "Account ana: " + account,
                "Signed in as ana",
                input: word
            ),
            Answer(
                "account add ana --statement --address " + account,
                "POST external-accounts/statement",
                sends: #""address":"\#(account)""#,
                prints: "{…}"
            ),
            Answer(
                "account add ana --address \(account) --signature 0x07 --valid-until 8 "
                    + "--password-stdin",
                "POST external-accounts",
                sends: #""signature":"0x07""#,
                #""validUntil":8"#,
                prints: "Account ana: " + account,
                "Signed in as ana",
                input: word
            ),
            Answer(
                "account password ana --password-stdin",
                "POST accounts/ana/password",
                sends: #""newPassword":"right horse""#,
                #""password":"correct horse""#,
                prints: "ana has a new password. Sign in with it.",
                form: .nothing,
                input: word + "right horse\n"
            ),
            Answer(
                "account reveal ana --yes --password-stdin",
                "POST accounts/ana/key",
                sends: #""password":"correct horse""#,
                prints: "0x…",
                input: word
            ),
            Answer(
                "account sign-in ana --password-stdin",
                "POST sessions",
                sends: #""account":"ana""#,
                prints:
                    "Signed in as ana (\(account)). The session ends 2026-01-01 00:00:00Z, or when",
                "Then the node makes these moves for you: deliver until 2026-01-01 00:00:00Z.",
                form: .field("account"),
                input: word
            ),
            Answer(
                "account sign-out",
                "DELETE sessions/current",
                prints: "ana is signed out.",
                form: .nothing
            ),
            Answer(
                "account use ana",
                "GET accounts",
                prints: "Commands act as ana from now on.",
                form: .own(["name": "ana"])
            ),
            Answer(
                "account remove ana --yes --accept-losses --keep-profile --password-stdin",
                "POST accounts/ana/remove",
                sends: #""acceptsLosses":true"#,
                #""withdrawsProfile":false"#,
                prints: "ana is removed from this node.",
                form: .nothing,
                input: word
            ),
            Answer(
                "account device list",
                "GET devices",
                prints: id,
                "16Uiu2HA… (this node)",
                "2026-01-01 00:00:00Z"
            ),
            Answer(
                "account device revoke 5f3a9c1e --yes",
                "DELETE devices/5f3a9c1e",
                prints: "will say that 5f3a9c1e is no longer your device",
                "16Uiu2HA… (this node)",
                shown: "GET devices"
            ),
            Answer(
                "account reputation bo",
                "GET reputation",
                sends: "account=bo",
                prints: "account        ana (0x5aAe…eAed), you",
                "sold           2 complete",
                "bought         1 refunded",
                "disputes       1 still open",
                "not counted    1 declined",
                "traded         0.5 ETH",
                "completed with 2 accounts",
                "stars          4.50 from 2 accounts"
            ),
            Answer(
                "account recovery",
                "GET recovery",
                prints: "profile   Ana",
                "vault     1 entry",
                "home      16Uiu2…: vault exchanged",
                "missing   vault: …"
            ),
        ]
    }()

    static let profiles: [CommandAnswer] = {
        let (account, id) = (DocumentAnswers.account, DocumentAnswers.id)
        return [
            Answer(
                "account profile show bo",
                "GET profiles/bo",
                prints: "account    " + account,
                "name       Ana",
                "region     Bavaria",
                "photo      " + id,
                "published  2026-01-01 00:00:00Z"
            ),
            Answer("account profile show", "GET profiles/" + account, prints: "name       Ana"),
            Answer(
                "account profile set --region 'Upper Bavaria'",
                "PUT profile",
                sends: #""region":"Upper Bavaria""#,
                prints: "region     Bavaria"
            ),
            Answer(
                "account address show",
                "GET address",
                prints: "place  Munich, Bavaria, DE",
                "point  48.137,11.575"
            ),
            Answer(
                "account address set --place 'Potsdam, DE'",
                "PUT address",
                sends: #""place":"Potsdam, DE""#,
                #""latitude":48.137"#,
                prints: "place  Munich, Bavaria, DE"
            ),
            Answer(
                "account address clear --point",
                "PUT address",
                sends: #"{"place":"Munich, Bavaria, DE","text":"…"}"#,
                prints: "Removed.",
                form: .nothing
            ),
            Answer("contact list", "GET contacts", prints: "Ana", account, "2026-01-01"),
            Answer(
                "contact name bo 'Bo Berg'",
                "PUT contacts/bo",
                sends: #""name":"Bo Berg""#,
                prints: account + " is Ana for you."
            ),
            Answer(
                "contact remove bo",
                "DELETE contacts/bo",
                prints: "Removed.",
                form: .nothing
            ),
        ]
    }()

    static let chat: [CommandAnswer] = {
        let (account, id) = (DocumentAnswers.account, DocumentAnswers.id)
        let said = "Is it still there?  [sent: …]"
        return [
            Answer(
                "chat list",
                "GET conversations",
                prints: "ana (0x5aAe…eAed)",
                "Red bicycle",
                id,
                "Is it still there?",
                "stoa chat requests"
            ),
            Answer(
                "chat requests",
                "GET conversations",
                sends: "requests=true",
                prints: "ana (0x5aAe…eAed)",
                "Red bicycle",
                id
            ),
            Answer(
                "chat accept 5d21ee07",
                "POST conversations/5d21ee07/accept",
                prints: "Accepted; answer with 'stoa chat send 5d21ee07'.",
                form: .nothing
            ),
            Answer(
                "chat show bob",
                "GET conversations/bob/messages",
                prints: "2026-01-01 00:00:00Z  you  " + said,
                form: .field("items")
            ),
            Answer(
                "chat send bob 'Does it have lights?'",
                "POST conversations/bob/messages",
                sends: "Does it have lights?",
                prints: said
            ),
            Answer(
                "chat open bob",
                "POST conversations",
                sends: #""with":"bob""#,
                prints: "Conversation \(id) with ana (0x5aAe…eAed)"
            ),
            Answer(
                "chat open --listing bicycle --message Hello --yes",
                "POST conversations/\(id)/messages",
                sends: "Hello",
                prints: said
            ),
            Answer(
                "chat delete bob --yes",
                "DELETE conversations/bob",
                prints: "The conversation is deleted from this node.",
                form: .nothing
            ),
            Answer(
                "chat block bob",
                "POST blocked",
                sends: #""account":"bob""#,
                prints: account + " is blocked."
            ),
            Answer(
                "chat unblock bob",
                "DELETE blocked/bob",
                prints: "bob can write to you again.",
                form: .nothing
            ),
            Answer("chat blocked", "GET blocked", prints: "ana (0x5aAe…eAed)", "2026-01-01"),
        ]
    }()

    static let node: [CommandAnswer] = {
        let peer = "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
        let address = "/ip4/192.0.2.1/tcp/4001/p2p/" + peer
        return [
            Answer(
                "status",
                "GET node",
                prints: "node       chain 1 ready at block 7, 2 peers",
                "account    ana (0x5aAe…eAed)",
                "unattended ana: deliver until 2026-01-01 00:00:00Z",
                "Red bicycle. Accept the other side's proposal, if you agree: stoa sale agree 0f0f0f0f --share 50%",
                "Red bicycle, 0.5 ETH. Collect what it credited to you: stoa wallet collect",
                "Red bicycle. Review it: stoa review write 0f0f0f0f --stars <1 to 5>",
                form: .own([:])
            ),
            Answer(
                "node status",
                "GET node",
                prints: "network   stoa",
                "peers     2",
                "records   3",
                "reports   to " + DocumentAnswers.account,
                "chain     1 ready: …, head 7 of 2026-01-01 00:00:00Z"
            ),
            Answer("peers list", "GET peers", prints: "16Uiu2HA…", "inbound", "stoa/1", "/ip4/…"),
            Answer("peers connect " + address, "POST peers", sends: peer, prints: "inbound"),
            Answer(
                "chain status",
                "GET chains",
                prints: "1 ready: …, head 7",
                "currency ETH, fees 1559, final after 3 blocks",
                "escrow  " + DocumentAnswers.account
            ),
            Answer("home list", "GET homes", prints: "16Uiu2HA…", "2026-01-01", "/ip4/…"),
            Answer(
                "home add \(address) --yes",
                "POST homes",
                sends: peer,
                prints: "Your profile, which is signed and public, will name that node.",
                "16Uiu2HA…"
            ),
            Answer(
                "home remove 16Uiu2HA --yes",
                "DELETE homes/16Uiu2HA",
                prints: "will no longer name that",
                "16Uiu2HA…",
                shown: "GET homes"
            ),
        ]
    }()

    static let moderation: [CommandAnswer] = {
        let (account, id, list) = (
            DocumentAnswers.account, DocumentAnswers.id, DocumentAnswers.listing
        )
        return [
            Answer(
                "report send --listing 5d21ee07 'Another bicycle.'",
                "POST reports",
                sends: list,
                "Another bicycle.",
                prints: "Reported. Answers arrive in the conversation 0f0f0f0f."
            ),
            Answer(
                "report list --sent",
                "GET reports",
                sends: "sent=true",
                prints: "about listing 0f0f0f0f “Red bicycle” of ana (0x5aAe…eAed)",
                "  A copy.",
                "answer: Thank you.",
                "conversation " + id
            ),
            Answer(
                "report answer \(id) Done.",
                "POST conversations/\(id)/messages",
                sends: "Done.",
                prints: "Is it still there?"
            ),
            Answer(
                "curation list --author bo",
                "GET curations",
                sends: "author=bo",
                prints: "Copies",
                "1, you follow it",
                list
            ),
            Answer(
                "curation show " + list,
                "GET curations/" + list,
                prints: "Copies by ana (0x5aAe…eAed), you, which you follow",
                "Of others' work.",
                "listing \(list): A copy."
            ),
            Answer(
                "curation hide Copies --account \(account) --reason Spam --yes",
                "POST curations",
                sends: #""reason":"Spam""#,
                #""reason":"A copy.""#,
                prints: "It will hide all listings of \(account), because: Spam",
                "Copies by " + account
            ),
            Answer(
                "curation unhide Copies --listing \(list) --yes",
                "POST curations",
                sends: #""entries":[]"#,
                prints: "Copies by " + account
            ),
            Answer(
                "curation withdraw \(list) --yes",
                "DELETE curations/" + list,
                prints: "The list is withdrawn.",
                form: .nothing
            ),
            Answer(
                "curation subscribe " + list,
                "POST subscriptions",
                sends: list,
                prints: "Copies by \(account), which you follow"
            ),
            Answer(
                "curation unsubscribe " + list,
                "DELETE subscriptions/" + list,
                prints: "You no longer follow this list.",
                form: .nothing
            ),
            Answer(
                "curation hidden",
                "GET hidden",
                prints: "listing \(list): A copy., says ana (0x5aAe…eAed) in the list " + list
            ),
        ]
    }()
}
