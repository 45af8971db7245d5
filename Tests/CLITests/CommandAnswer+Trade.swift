/// The commands about sales, courses, operations and reviews.
extension CommandAnswer {
    private typealias Answer = CommandAnswer

    /// The moves that need nothing but the sale.
    static let moves: [CommandAnswer] = {
        let sale =
            ["transfer", "confirm", "abort", "decline", "relist", "refund", "dispute"]
            + ["claim", "withdraw-proposal", "take", "default", "end"]
        let course = ["leave", "begin", "cancel", "refund", "settle"]
        let commands = sale.map { ("sale", $0) } + course.map { ("course", $0) }
        return commands.map { noun, command in
            let name = command == "default" ? "execute_default" : command
            return move(noun, command, name.replacing("-", with: "_"))
        }
    }()

    /// The moves that need more.
    static let detailedMoves: [CommandAnswer] = [
        move("sale", "propose", "propose", "--share 40% --for 7d", #""share":4000"#, #""until":"#),
        move("sale", "agree", "agree", "--share 40%", #""share":4000"#),
        move("sale", "transfer", "transfer", "--note 'DHL 0034'", #""note":"DHL 0034""#),
        move("sale", "dispute", "dispute", "--reason Broken", #""note":"Broken""#),
        move("sale", "rule", "rule", "--share 12.5%", #""share":1250"#),
        move(
            "course",
            "evaluate",
            "evaluate",
            "--preparation 91 --content 82 --delivery 73 --communication 64 --overall 55",
            #""points":[91,82,73,64,55]"#
        ),
        move(
            "course",
            "repeat",
            "repeat",
            "--seats 20 --starts 2027-05-01 --ends 2027-05-15 --price 0.06",
            #""seats":20"#,
            #""amount":"60000000000000000""#
        ),
    ]

    private static func move(
        _ noun: String,
        _ command: String,
        _ move: String,
        _ options: String = "",
        _ sends: String...
    ) -> CommandAnswer {
        Answer(
            "\(noun) \(command) bicycle \(options) --yes",
            "POST sales/\(DocumentAnswers.id)/moves",
            sends: [#""move":"\#(move)""#, "feeMax=1"] + sends,
            prints: [
                "'Red bicycle', sale 0f0f0f0f", "seller  ana (0x5aAe…eAed)", "0.5 ETH",
                "operation  " + DocumentAnswers.id, "confirmed  done", "Done: \(command).",
                "next  Tell the seller where to send it: stoa sale address 0f0f0f0f",
            ]
        )
    }

    static let sales: [CommandAnswer] = {
        let (id, listing) = (DocumentAnswers.id, DocumentAnswers.listing)
        return [
            Answer(
                "sale buy \(id) --ship-to DE --yes",
                "POST sales",
                sends: #""listing":"\#(listing)""#,
                #""sale":"\#(id)""#,
                #""shipTo":"DE""#,
                prints: "'Red bicycle', sale 0f0f0f0f",
                "Paid. The sale is " + id,
                "Tell the seller where to send it: stoa sale address 0f0f0f0f"
            ),
            Answer(
                "sale buy \(id) --send-address --yes",
                "POST sales",
                sends: #""address":{}"#,
                #""listing":"\#(listing)""#,
                #""sale":"\#(id)""#,
                prints: "Paid. The sale is " + id
            ),
            Answer(
                "sale bid \(DocumentAnswers.auction) 0.55 --yes",
                "POST sales",
                sends: #""bid":"550000000000000000""#,
                #""listing":"\#(listing)""#,
                prints: "Your bid is paid. The sale is " + id
            ),
            Answer(
                "sale offer bicycle 0.4 --pay-within 12h --yes",
                "POST listings/\(listing)/offers",
                sends: #""price":"400000000000000000""#,
                #""paymentSeconds":43200"#,
                #""until":1767484800"#,
                prints: "Sent to the seller.",
                "next  See what becomes of it: stoa sale offers"
            ),
            Answer(
                "sale offer bicycle --withdraw",
                "DELETE listings/\(listing)/offers",
                prints: "Your offer is withdrawn."
            ),
            Answer(
                "sale offers",
                "GET offers",
                prints: "Red bicycle",
                "open until 2026-01-01 00:00:00Z"
            ),
            Answer(
                "sale accept \(id) --yes",
                "POST offers/\(id)/acceptance",
                sends: #""payUntil":"#,
                "feeMax=1",
                prints: "Accepted: the buyer can pay now.",
                "next  See what becomes of it: stoa sale offers"
            ),
            Answer(
                "sale show bicycle",
                "GET sales/bicycle",
                prints: "turn       yours, to confirm or dispute\nuntil      2026-01-01 00:00:00Z",
                "next       Tell the seller where to send it: stoa sale address 0f0f0f0f",
                "title      Red bicycle",
                "sale       " + id,
                "state      for sale (1 of 3 confirmed)",
                "since      2026-01-01 00:00:00Z",
                "price      0.5 ETH",
                "seller     ana (0x5aAe…eAed), you",
                "you can    agree --share 50% until 2026-01-01 00:00:00Z: …",
                "history    2026-01-01 00:00:00Z: list by ana"
            ),
            Answer(
                "sale watch over",
                "GET sales/over",
                prints: "sale       " + id,
                "state      for sale",
                "price      0.5 ETH"
            ),
            Answer(
                "sale list purchases --phase paid",
                "GET sales",
                sends: "list=purchases",
                "phase=paid",
                prints: "Red bicycle",
                "for sale (1 of 3 confirmed)",
                "0.5 ETH",
                "buyer    sale address 0f0f0f0f",
                id
            ),
            Answer(
                "sale list --phase completed --all --limit 5",
                "GET sales",
                sends: "phase=complete&replaced=true&limit=5",
                prints: "Red bicycle"
            ),
            Answer(
                "sale address 7f3a2b 'Main Street 1'",
                "POST sales/\(id)/address",
                sends: "Main Street 1",
                prints: "Sent to the seller.",
                "next  Follow it: stoa sale watch 0f0f0f0f"
            ),
            Answer(
                "review write bicycle 'As it was described.' --stars 4 --yes",
                "POST reviews",
                sends: #""stars":4"#,
                #""text":"As it was described.""#,
                #""sale":"\#(id)""#,
                prints: "Your review: “As it was described.”",
                "Published: 2026-01-01 00:00:00Z  ***** by ana (0x5aAe…eAed) about",
                "“As described.”"
            ),
            Answer(
                "review list --sale bicycle",
                "GET reviews",
                sends: "sale=bicycle",
                prints: "***** by ana (0x5aAe…eAed), you about ana",
                "in 'Red bicycle'",
                "“As described.”",
                "image/jpeg " + id,
                "review 0"
            ),
        ]
    }()

    static let courses: [CommandAnswer] = {
        let (account, id) = (DocumentAnswers.account, DocumentAnswers.id)
        return [
            Answer(
                "course create Knots --price 0.05 --seats 12 --starts 2027-03-01 --ends 2027-03-15 "
                    + "--session 'Bowline: Tie it.' "
                    + "--tag knots --description 'Ten knots.' --yes",
                "POST listings",
                sends: #""title":"Knots""#,
                #""payment":"enrolment""#,
                #""seats":12"#,
                prints: "Listed as " + id
            ),
            Answer(
                "course enrol \(DocumentAnswers.course) --round 0 --price '1 wei' --yes",
                "POST sales",
                sends: #""listing":"\#(DocumentAnswers.listing)""#,
                #""round":0"#,
                prints: "You are enrolled. The course is " + id
            ),
            Answer(
                "course students knots --round 0",
                "GET sales/knots/students",
                sends: "round=0",
                prints: account,
                "ana",
                "2026-01-01 00:00:00Z",
                "rated",
                "90"
            ),
            Answer(
                "course attendance knots",
                "GET sales/knots/attendance",
                prints: account,
                "ana",
                "enrolled"
            ),
            Answer(
                "course attendance knots --session 3 --mark bob --note 'dora=Next round.'",
                "PUT sales/\(id)/attendance",
                sends: #""session":3"#,
                #""present":["bob"]"#,
                #""text":"Next round.""#,
                prints: "The list is changed.",
                form: .nothing
            ),
        ]
    }()

    static let operations: [CommandAnswer] = {
        let id = DocumentAnswers.id
        return [
            Answer(
                "operation list --limit 7",
                "GET operations",
                sends: "limit=7",
                prints: "purchase",
                "done",
                "2026-01-01 00:00:00Z",
                "confirmed: 2 of 3",
                id
            ),
            Answer(
                "operation show 5d21ee07",
                "GET operations/5d21ee07",
                prints: "operation  " + id,
                "kind       purchase",
                "state      done",
                "about      " + id,
                "confirmed  done, 2 of 3, after 0 seconds"
            ),
            Answer(
                "operation wait 5d21ee07",
                "GET operations/5d21ee07",
                prints: "operation  " + id,
                "Done: buy \(id)."
            ),
            Answer(
                "operation speed-up 5d21ee07 --yes",
                "POST operations/\(id)/speed-up",
                sends: "feeMax=1",
                prints: "'Red bicycle', sale 0f0f0f0f",
                "Done: buy."
            ),
            Answer(
                "operation cancel 5d21ee07 --yes",
                "POST operations/\(id)/cancel",
                sends: "feeMax=1",
                prints: "'Red bicycle', sale 0f0f0f0f",
                "Cancellation requested."
            ),
            Answer(
                "signature list",
                "GET signatures",
                prints: "buy",
                "transaction",
                id
            ),
            Answer(
                "signature show 5d21ee07",
                "GET signatures/5d21ee07",
                prints: "operation  " + id,
                "Sign or send this transaction:",
                "to         " + DocumentAnswers.account,
                "value      1 wei",
                "nonce      1 (your wallet may use up to 16)",
                "fee limit  400000 wei"
            ),
            Answer(
                "signature give 5d21ee07 --hash 0x88df",
                "POST signatures/5d21ee07",
                sends: #"{"hash":"0x88df"}"#,
                prints: "Accepted. Follow it with 'stoa operation wait 0f0f0f0f'."
            ),
        ]
    }()

    static let money: [CommandAnswer] = {
        let (account, id) = (DocumentAnswers.account, DocumentAnswers.id)
        return [
            Answer(
                "wallet balance",
                "GET wallet",
                prints: "account  " + account,
                "balance  0.5 ETH",
                "locked   0.5 ETH, in the escrow sale 0f0f0f0f (paid)",
                "credit   0.5 ETH, held by the escrow contract " + account,
                "stoa wallet collect"
            ),
            Answer(
                "wallet send bob 0.25 ETH --yes",
                "POST wallet/send",
                sends: #""amount":"250000000000000000""#,
                #""to":"\#(account)""#,
                prints: account + " (ana)",
                "Sent."
            ),
            Answer(
                "wallet receive --amount 0.25",
                "GET wallet",
                prints: "account  \(account), on chain 1",
                "amount   0.25 ETH",
                "request  ethereum:\(account)@1?value=250000000000000000",
                form: .own([
                    "account": account,
                    "uri": "ethereum:\(account)@1?value=250000000000000000",
                ])
            ),
            Answer(
                "wallet history --limit 5",
                "GET wallet/history",
                sends: "limit=5",
                prints: "2026-01-01 00:00:00Z",
                "send",
                "-0.5 ETH",
                "ana",
                id
            ),
            Answer(
                "wallet collect --currency native --amount 0.1 --yes",
                "POST wallet/collect",
                sends: #""amount":"100000000000000000""#,
                prints: "Collected."
            ),
            Answer(
                "wallet acknowledge --yes",
                "POST wallet/acknowledge",
                prints: "The node sends transactions again.",
                form: .nothing
            ),
            Answer(
                "arbiter register --fee 0.01 --until 2027-12-31 --yes",
                "POST arbitration",
                sends: #""feeMin":"10000000000000000""#,
                #""until":1830211200"#,
                prints: "Registered."
            ),
            Answer(
                "arbiter resign --yes",
                "POST arbitration",
                sends: #""feeMin":"0""#,
                #""until":0"#,
                prints: "Resigned."
            ),
            Answer(
                "arbiter show carla",
                "GET arbitration",
                sends: "account=carla",
                prints: "ended 2026-01-01 00:00:00Z: was for 0.01 ETH or more a dispute"
            ),
        ]
    }()
}
