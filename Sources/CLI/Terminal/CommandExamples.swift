import ArgumentParser

/// Examples of each command, shown at the end of its help.
enum CommandExamples {
    /// Adds the examples to a command's help; returns any other text unchanged.
    static func added(
        to help: String,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) -> String {
        let path = CommandPath(arguments).words.joined(separator: " ")
        guard help.contains("USAGE: stoa"), let examples = all[path] else { return help }
        let lines = examples.map { "  stoa " + $0 }
        return help + "\n\n" + (["EXAMPLES:"] + lines).joined(separator: "\n")
    }

    /// The examples, by the words of the command; addresses, ids and names are made up.
    static let all: [String: [String]] = ownFiles.merging(calls) { one, _ in one }
        .merging(trade) { one, _ in one }.merging(moderation) { one, _ in one }

    private static let ownFiles = [
        "init": ["init", "init --market market.yaml --data /srv/stoa"],
        "node run": ["node run", "node run --set api.port=8090"],
        "config show": ["config show", "config show --explain", "config show --json"],
        "config check": ["config check --data /srv/stoa"],
        "chain deploy": [
            "chain deploy --rpc http://127.0.0.1:8545 --chain-id 31337 --key-file payer.key"
        ],
        "chain descriptors": ["chain descriptors --deployment market/deployment.json"],
        "cluster up": ["cluster up --nodes 2"],
        "cluster status": ["cluster status"],
        "cluster down": ["cluster down"],
        "cluster start": ["cluster start 2"],
        "cluster stop": ["cluster stop 2"],
        "cluster fund": ["cluster fund anna --ether 10"],
        "store export": ["store export /backup/stoa-2026-01-31"],
        "store import": ["store import /backup/stoa-2026-01-31 --data /srv/stoa"],
        "completion": ["completion bash"],
    ]

    private static let calls = [
        "node status": ["node status", "node status --watch"],
        "peers list": ["peers list"],
        "peers connect": [
            "peers connect /ip4/192.0.2.1/tcp/4001/p2p/"
                + "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
        ],
        "events": ["events", "events --after 0 --type deadline"],
        "account create": ["account create anna"],
        "account recover": ["account recover anna"],
        "account import": [
            "account import anna --keystore UTC--2026-11-23--5aaeb6.json",
            "account import anna --private-key-file key.txt",
        ],
        "account add": [
            "account add anna --address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        ],
        "account password": [
            "account password anna", "account password anna --with-phrase",
        ],
        "account export": ["account export anna --into anna.json"],
        "account reveal": ["account reveal anna"],
        "account list": ["account list"],
        "account device list": ["account device list"],
        "account device revoke": ["account device revoke 5f3a9c1e"],
        "account reputation": ["account reputation anna"],
        "account profile show": ["account profile show", "account profile show anna"],
        "account profile set": [
            "account profile set --about 'I mend bicycles.' --region Bavaria --photo me.jpg"
        ],
        "contact list": ["contact list"],
        "contact name": [
            "contact name 0x52908400098527886E0F7030069857D2E4169EE7 'Bo from the market'"
        ],
        "contact remove": ["contact remove 'Bo from the market'"],
        "account sign-in": ["account sign-in anna"],
        "status": ["status", "status --as anna"],
        "account use": ["account use anna", "account use --none"],
        "account sign-out": [
            "account sign-out", "account sign-out anna --all", "account sign-out --all",
        ],
        "account unattended on": [
            "account unattended on --moves deliver,claim,end,refund --until 60d"
        ],
        "account unattended off": ["account unattended off", "account unattended off anna"],
        "account unattended show": ["account unattended show"],
        "account remove": ["account remove anna"],
        "chain status": ["chain status"],
        "chat open": [
            "chat open bob", "chat open --listing bicycle --message 'Is it still there?'",
        ],
        "chat list": ["chat list"],
        "chat requests": ["chat requests"],
        "chat accept": ["chat accept 5d21ee07"],
        "chat show": ["chat show bob"],
        "chat send": ["chat send bob 'Does it have lights?'"],
        "chat delete": ["chat delete bob", "chat delete 5d21ee07"],
        "chat block": ["chat block bob"],
        "chat unblock": ["chat unblock bob"],
        "chat blocked": ["chat blocked"],
        "chat watch": ["chat watch", "chat watch bob"],
        "home add": [
            "home add /ip4/192.0.2.1/tcp/4001/p2p/"
                + "16Uiu2HAkvqcszgYSKmM4ZKYYWHRUKiKTKKsgxv3UmpPFdnZNf7Zw"
        ],
        "home list": ["home list"],
        "home remove": ["home remove 16Uiu2HAkvqcs"],
    ]

    private static let trade = [
        "wallet balance": ["wallet balance", "wallet balance --as anna"],
        "wallet send": [
            "wallet send bob 0.5 ETH", "wallet send bob 12.50 TST --dry-run",
            "wallet send 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed MAX --speed slow",
            "wallet send 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=5e17'",
        ],
        "wallet receive": [
            "wallet receive", "wallet receive --amount 12.50 --currency TST --png request.png",
        ],
        "wallet history": ["wallet history", "wallet history --limit 100 --json"],
        "wallet collect": [
            "wallet collect", "wallet collect --currency native --amount 0.5",
            "wallet collect --to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        ],
        "wallet acknowledge": ["wallet acknowledge"],
        "listing create": [
            "listing create 'Red bicycle' --price 0.5 --category sports --tag bicycle "
                + "--description 'Steel, 21 gears.' --identifier 'frame 4471' --ships-to DE",
            "listing create --from 'red bicycle' --price 0.4",
            "listing create 'Oak table' --payment auction --duration 10d --price 0.1 "
                + "--category home --tag table --description 'For six, oiled.' "
                + "--identifier 'workshop 88/3'",
            "listing create 'A song' --price 0.1 --description 'Three minutes.' --tag music --work song.flac "
                + "--media cover.jpg --payment direct",
        ],
        "listing show": ["listing show 3f9ac21b", "listing show bicycle"],
        "listing search": [
            "listing search red bicycle", "listing search --author anna",
            "listing search bicycle --price-max 0.5 --ships-to DE --sort cheapest --facets",
            "listing search --near 52.39,13.065 --within 50 --stars 4",
        ],
        "listing categories": ["listing categories"],
        "listing suggest": ["listing suggest red bic"],
        "listing pieces": [
            "listing pieces bicycle --add 2", "listing pieces bicycle --withdraw 1",
        ],
        "listing edit": [
            "listing edit bicycle --description 'Steel, 21 gears, new tyres.'",
            "listing edit bicycle --price 0.4",
            "listing edit knots --session 'Bowline: Tie it twice.' --session 'Sheet bend'",
        ],
        "listing withdraw": ["listing withdraw 3f9ac21b"],
        "media add": ["media add bicycle.jpg bill.pdf"],
        "media list": ["media list"],
        "media remove": [
            "media remove 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
        ],
        "media get": [
            "media get 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b --size 640"
        ],
        "sale buy": ["sale buy bicycle --ship-to DE", "sale buy 3f9ac21b"],
        "item check": ["item check 'frame 4471'"],
        "item list": ["item list"],
        "item give": ["item give 7 anna"],
        "item show": ["item show 7", "item show --identifier 'frame 4471'"],
        "course create": [
            "course create 'Knots for sailors' --price 0.05 --seats 12 --starts 2027-03-01 "
                + "--ends 2027-03-15 --tag knots --description 'Ten knots in ten evenings.'"
        ],
        "course enrol": ["course enrol knots"],
        "course leave": ["course leave knots"],
        "course begin": ["course begin knots"],
        "course cancel": ["course cancel knots"],
        "course refund": ["course refund knots", "course refund 9ab01c22 --round 0"],
        "course evaluate": [
            "course evaluate knots --preparation 90 --content 80 --delivery 85 --communication 95 "
                + "--overall 88"
        ],
        "course students": ["course students knots", "course students knots --round 0 --csv"],
        "course attendance": [
            "course attendance knots", "course attendance knots --session 3 --mark bob carla",
            "course attendance knots --note 'dora=Asked for the next round.'",
            "course attendance knots --csv",
        ],
        "course settle": ["course settle knots"],
        "course repeat": [
            "course repeat knots --seats 20 --starts 2027-05-01 --ends 2027-05-15 --price 0.06"
        ],
        "sale bid": ["sale bid bicycle 0.55", "sale bid 3f9ac21b '0.55 ETH' --ship-to DE"],
        "sale offer": [
            "sale offer bicycle 0.4", "sale offer 3f9ac21b '0.4 ETH' --for 1d --pay-within 12h",
            "sale offer bicycle --withdraw",
        ],
        "sale offers": ["sale offers"],
        "sale accept": ["sale accept 7f3a2b19"],
        "sale end": ["sale end bicycle"],
        "sale show": ["sale show bicycle", "sale show 9ab01c22"],
        "sale watch": ["sale watch bicycle"],
        "sale list": ["sale list", "sale list purchases", "sale list --phase paid"],
        "work add": ["work add song.flac"],
        "work list": ["work list"],
        "work rename": ["work rename song.flac 'A song.flac'"],
        "work remove": ["work remove song.flac"],
        "sale pictures": ["sale pictures bicycle", "sale pictures bicycle --save evidence"],
        "sale work": ["sale work song", "sale work 7f3a2b --out song.flac"],
        "account recovery": ["account recovery"],
        "listing share": ["listing share bicycle", "listing share bicycle --png bicycle.png"],
        "account address show": ["account address show"],
        "account address set": [
            "account address set --text 'Ada Lovelace, Main Street 1, 80331 Munich, Germany' "
                + "--place 'Munich, Bavaria, DE' --point 48.137,11.575"
        ],
        "account address clear": ["account address clear", "account address clear --point"],
        "sale address": [
            "sale address 7f3a2b", "sale address 7f3a2b 'Main Street 1, 80331 Munich'",
        ],
        "listing allow": ["listing allow bicycle bob"],
        "listing reopen": ["listing reopen bicycle"],
        "search save": [
            "search save --name bicycles bicycle --price-max 0.5 --ships-to DE",
            "search save --name vehicles --category vehicles --sort oldest",
        ],
        "search run": ["search run bicycles"],
        "search list": ["search list"],
        "search remove": ["search remove bicycles"],
        "draft copy": ["draft copy bicycle 'second bicycle'"],
        "draft edit": ["draft edit 'second bicycle' --price 0.4 --identifier 'WTU 78'"],
        "draft list": ["draft list"],
        "draft show": ["draft show 'second bicycle'"],
        "draft publish": ["draft publish 'second bicycle'"],
        "draft remove": ["draft remove 'second bicycle'"],
        "favourite add": ["favourite add bicycle"],
        "favourite remove": ["favourite remove bicycle"],
        "favourite list": ["favourite list"],
        "cart show": ["cart show"],
        "cart add": ["cart add bicycle"],
        "cart remove": ["cart remove bicycle"],
        "cart checkout": ["cart checkout", "cart checkout --ship-to DE --dry-run"],
        "sale transfer": [
            "sale transfer bicycle", "sale transfer bicycle --note 'DHL 00340434161094000000'",
        ],
        "sale confirm": ["sale confirm bicycle"],
        "sale abort": ["sale abort bicycle"],
        "sale refund": ["sale refund bicycle"],
        "sale dispute": [
            "sale dispute bicycle",
            "sale dispute bicycle --reason 'The frame is cracked.' --picture frame.jpg",
        ],
        "sale claim": ["sale claim bicycle"],
        "sale decline": ["sale decline bicycle"],
        "sale relist": ["sale relist bicycle"],
        "sale propose": [
            "sale propose bicycle --share 50%", "sale propose bicycle --share 50% --for 7d",
        ],
        "sale agree": ["sale agree bicycle --share 50%"],
        "sale withdraw-proposal": ["sale withdraw-proposal bicycle"],
        "sale take": ["sale take bicycle"],
        "sale rule": ["sale rule bicycle --share 50%"],
        "sale default": ["sale default bicycle"],
        "arbiter register": [
            "arbiter register --fee 0.01",
            "arbiter register --fee 0.01 --until 2027-12-31",
        ],
        "arbiter resign": ["arbiter resign"],
        "arbiter show": ["arbiter show", "arbiter show carla"],
        "operation list": ["operation list"],
        "operation show": ["operation show 5d21ee07"],
        "operation wait": ["operation wait 5d21ee07"],
        "operation speed-up": ["operation speed-up 5d21ee07"],
        "operation cancel": ["operation cancel 5d21ee07"],
        "signature list": ["signature list"],
        "signature show": ["signature show 5d21ee07"],
        "signature give": [
            "signature give 5d21ee07 --hash "
                + "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
        ],
        "review write": [
            "review write bicycle --stars 5", "review write bicycle 'Just as described.' --stars 5",
        ],
        "review list": ["review list --sale bicycle", "review list --account anna"],
    ]

    private static let list =
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed." + String(repeating: "0f", count: 32)

    private static let moderation = [
        "curation list": ["curation list", "curation list --author anna"],
        "curation show": ["curation show \(list)"],
        "curation hide": ["curation hide Copies --listing \(list) --reason 'A copy.'"],
        "curation unhide": ["curation unhide Copies --listing \(list)"],
        "curation withdraw": ["curation withdraw \(list)"],
        "curation subscribe": ["curation subscribe \(list)"],
        "curation unsubscribe": ["curation unsubscribe \(list)"],
        "curation hidden": ["curation hidden"],
        "report send": [
            "report send --listing 5d21ee07 'The picture shows another bicycle.'",
            "report send 'The node is slow since yesterday.'",
        ],
        "report list": ["report list", "report list --sent"],
        "report answer": [
            "report answer 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a7139401 'Done.'"
        ],
    ]
}
