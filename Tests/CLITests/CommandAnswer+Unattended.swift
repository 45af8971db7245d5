/// The commands about accounts that are left alone.
extension CommandAnswer {
    private typealias Answer = CommandAnswer

    static let unattended: [CommandAnswer] = [
        Answer(
            "account unattended on --moves deliver,claim --until 60d --password-stdin",
            "PUT accounts/ana/unattended",
            sends: #""moves":["deliver","claim"]"#,
            #""password":"correct horse""#,
            #""seconds":5184000"#,
            prints: "signed in to ana, the node makes these moves: deliver until 2026-01-01",
            input: "correct horse\n"
        ),
        Answer(
            "account unattended show ana",
            "GET accounts/ana/unattended",
            prints: "signed in to ana, the node makes these moves: deliver until 2026-01-01"
        ),
        Answer(
            "account unattended off",
            "DELETE accounts/ana/unattended",
            prints: "While nobody is signed in to ana, the node makes no move for it.",
            form: .nothing
        ),
    ]
}
