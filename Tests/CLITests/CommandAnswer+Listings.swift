/// The commands about listings, files, and what an account keeps for itself.
extension CommandAnswer {
    private typealias Answer = CommandAnswer

    static let listings: [CommandAnswer] = {
        let (id, listing) = (DocumentAnswers.id, DocumentAnswers.listing)
        return [
            Answer(
                "listing create 'Red lamp' --price 0.25 --category home --tag lamp "
                    + "--description Red. --identifier 'lamp 7' --yes",
                "POST listings",
                sends: #""title":"Red lamp""#,
                #""amount":"250000000000000000""#,
                #""identifier":"lamp 7""#,
                prints: "Listed as " + id
            ),
            Answer(
                "listing create --from bicycle --price 0.25 --description Oiled. --yes",
                "POST listings",
                sends: #""title":"Red bicycle""#,
                #""amount":"250000000000000000""#,
                #""description":"Oiled.""#,
                prints: "Listed as " + id
            ),
            Answer(
                "listing show bicycle",
                "GET listings/bicycle",
                prints: "title      Red bicycle",
                "listing    " + listing,
                "price      0.5 ETH",
                "seller     ana (0x5aAe…eAed), you",
                "next bid   at least 0.5 ETH",
                "warning    also offered by ana",
                "its seller 2 completed; 4.50 from 2 accounts"
            ),
            Answer(
                "listing search red bicycle --price-max 0.5 --ships-to DE --tag Bicycle",
                "GET listings",
                sends: "search=red",
                "tag=bicycle",
                "priceMax=500000000000000000",
                "shipsTo=DE",
                prints: "Red bicycle",
                "bid 0.5 ETH",
                "highest bid 0.5 ETH",
                listing
            ),
            Answer(
                "listing suggest red bic",
                "GET listings/suggestions",
                sends: "search=red",
                prints: "red bicycle"
            ),
            Answer("listing categories", "GET categories", prints: "books"),
            Answer(
                "listing places munich",
                "GET places",
                sends: "search=munich",
                prints: "Munich, Bavaria, DE",
                "Germany",
                "48.137,11.575"
            ),
            Answer(
                "listing search --near Munich --within 50",
                "GET listings",
                sends: "near=48.137,11.575",
                "within=50",
                prints: "Red bicycle"
            ),
            Answer(
                "listing edit bicycle --title 'Blue bicycle' --yes",
                "PUT listings/" + listing,
                sends: #""title":"Blue bicycle""#,
                prints: "Changed: " + id,
                "next  See it as others do: stoa listing show",
                ownListing: "bicycle"
            ),
            Answer(
                "listing edit bicycle --price 0.4 --yes",
                "PUT listings/" + listing,
                sends: #""amount":"400000000000000000""#,
                "feeMax=1",
                prints: "Changed: " + id,
                "next  See it as others do: stoa listing show",
                ownListing: "bicycle"
            ),
            Answer(
                "listing pieces bicycle --add 2 --yes",
                "POST listings/" + listing + "/pieces",
                sends: #""add":2"#,
                "feeMax=1",
                prints: "Changed: " + id,
                "next  See it as others do: stoa listing show",
                ownListing: "bicycle"
            ),
            Answer(
                "listing reopen bicycle --yes",
                "POST listings/\(listing)/reopening",
                sends: "feeMax=1",
                prints: "Listed again.",
                "next  See it as others do: stoa listing show",
                ownListing: "bicycle"
            ),
            Answer(
                "listing allow bicycle bob",
                "POST listings/bicycle/exceptions",
                sends: #""buyer":"bob""#,
                prints: "The buyer has been notified."
            ),
            Answer(
                "listing share bicycle",
                "GET listings/bicycle",
                prints: "Red bicycle\n0.5 ETH\nRidden for two summers.\nstoa:listing/" + listing,
                form: .own([
                    "listing": listing, "link": "stoa:listing/" + listing,
                    "description": "Ridden for two summers.",
                ])
            ),
            Answer(
                "listing withdraw bicycle --yes",
                "DELETE listings/" + id,
                sends: "feeMax=1",
                prints: "'Red bicycle', sale 0f0f0f0f",
                "Withdrawn.",
                "next  Collect what it credited to you: stoa wallet collect",
                ownListing: "bicycle"
            ),
            Answer(
                "item check 'frame 4471'",
                "GET identifiers",
                sends: "identifier=frame",
                prints: "Red bicycle",
                "ana (0x5aAe…eAed), you",
                listing,
                "token 7 on chain 1, made by ana",
                "stoa item show 7"
            ),
            Answer(
                "item give 7 ana --yes",
                "POST items/give",
                sends: #""token":"7""#,
                prints: "operation  " + id,
                "Given."
            ),
            Answer("item list", "GET items", sends: "own=true", prints: "7     Red bicycle"),
            Answer(
                "item show 7",
                "GET items",
                sends: "token=7",
                prints: "item       7",
                "identifier frame4471",
                // In the example the owner is the contract, too.
                "owner      ana (0x5aAe…eAed), you, the contract of escrow sales, while it is sold",
                "escrow, for sale, 0.5 ETH, by ana"
            ),
        ]
    }()

    static let files: [CommandAnswer] = {
        let (id, digits) = (DocumentAnswers.id, DocumentAnswers.hexDigits)
        return [
            Answer(
                "media add file",
                "POST media",
                prints: id + "  image/jpeg, 1 bytes, 640 × 480  file",
                form: .list
            ),
            Answer("media list", "GET media", prints: id, "image/jpeg", "yes"),
            Answer(
                "media remove " + id,
                "DELETE media/" + id,
                prints: "removed " + id,
                form: .nothing
            ),
            Answer(
                "work add file",
                "POST works",
                sends: "name=file",
                prints: "song.flac",
                "here",
                digits,
                form: .list
            ),
            Answer("work list", "GET works", prints: "song.flac", "here", digits),
            Answer(
                "work rename song.flac 'A song.flac'",
                "PUT works/song.flac",
                sends: #""name":"A song.flac""#,
                prints: "song.flac",
                digits
            ),
            Answer(
                "work remove song.flac",
                "DELETE works/song.flac",
                prints: "removed song.flac",
                form: .nothing
            ),
        ]
    }()

    static let drafts: [CommandAnswer] = {
        let kept = "Publish it with: stoa draft publish 'second bicycle'"
        return [
            Answer(
                "draft copy bicycle third",
                "PUT drafts/third",
                sends: #""title":"Red bicycle""#,
                prints: kept
            ),
            Answer(
                "draft edit second --title 'Blue bicycle'",
                "PUT drafts/second",
                sends: #""title":"Blue bicycle""#,
                prints: kept
            ),
            Answer(
                "draft list",
                "GET drafts",
                prints: "second bicycle",
                "Red bicycle",
                "0.5 ETH",
                "2026-01-01"
            ),
            Answer(
                "draft show second",
                "GET drafts/second",
                prints: "draft       second bicycle",
                "title       Red bicycle",
                "price       0.5 ETH",
                "files       1"
            ),
            Answer(
                "draft publish second --yes",
                "POST listings",
                sends: #""title":"Red bicycle""#,
                prints: "Listed as " + DocumentAnswers.id
            ),
            Answer(
                "draft remove second",
                "DELETE drafts/second",
                prints: "Removed.",
                form: .nothing
            ),
        ]
    }()

    static let saved: [CommandAnswer] = {
        let (id, listing) = (DocumentAnswers.id, DocumentAnswers.listing)
        return [
            Answer(
                "search save --name reds red bicycle --category vehicles",
                "PUT searches/reds",
                sends: #""text":"red bicycle""#,
                #""category":"vehicles""#,
                prints: "Saved: bicycles. 'stoa events' reports new matches"
            ),
            Answer(
                "search run bicycles",
                "GET listings",
                sends: "search=bicycle",
                "category=vehicles",
                prints: "Red bicycle",
                "bid 0.5 ETH",
                listing
            ),
            Answer(
                "search list",
                "GET searches",
                prints: "bicycles",
                "bicycle, category vehicles, tag bicycle, seller 5aAeb605",
                "within 50 km of 48.137,11.575"
            ),
            Answer(
                "search remove bicycles",
                "DELETE searches/bicycles",
                prints: "Removed.",
                form: .nothing
            ),
            Answer("favourite add bicycle", "PUT favourites/bicycle", prints: "Saved: Red bicycle"),
            Answer(
                "favourite remove bicycle",
                "DELETE favourites/bicycle",
                prints: "Removed.",
                form: .nothing
            ),
            Answer(
                "favourite list",
                "GET favourites",
                prints: "Red bicycle",
                "0.5 ETH",
                "ana",
                "for sale",
                listing
            ),
            Answer(
                "cart show",
                "GET cart",
                prints: "Red bicycle",
                "ana",
                "total  0.5 ETH for one listing"
            ),
            Answer(
                "cart add bicycle",
                "PUT cart/\(listing)",
                sends: #""quantity":1"#,
                prints: "Red bicycle",
                "total  0.5 ETH for one listing"
            ),
            Answer(
                "cart remove bicycle",
                "DELETE cart/bicycle",
                prints: "Removed from the cart.",
                form: .nothing
            ),
            Answer(
                "cart checkout --total '1 wei' --yes",
                "POST sales",
                sends: #""listing":"\#(listing)""#,
                #""sale":"\#(id)""#,
                prints: "bought      Red bicycle, sale " + id,
                "Tell the seller where to send it: stoa sale address 0f0f0f0f",
                form: .own(["listing": listing, "sale": id, "operation": id])
            ),
        ]
    }()
}
