import Client
import Foundation
import Support

/// What a node with one listing and one sale answers, and else as ``DocumentAnswers`` does.
struct SampleAnswers: Sendable {
    /// The peer id of the node that answers.
    static let ownPeer = "16Uiu2HAkutTMoTzDw1tCvSRtu6YoixJwS46S1ZFxW8hSx9fWHiPs"

    private let currencies: String
    private let sale: String
    private let listing: String
    private let wallet: String
    private let cart: String
    private let draft: String
    private let draftWithDeposits: String
    private let homes: String
    private let address: String
    private let preview: String
    private let refusal: String
    private let document: DocumentAnswers

    /// Previews say that no second endpoint answers, if `restsOnOneSource`, cost a fee, if
    /// `costsFee`, and name a deadline, if `deadline` is one.
    init(restsOnOneSource: Bool = false, costsFee: Bool = true, deadline: Date? = nil) throws {
        let money = Money(amount: "500000000000000000", currency: "native")
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        currencies = try Self.text([
            CurrencyUnit(chain: 1, currency: "native", name: "Ether", symbol: "ETH", decimals: 18)
        ])
        sale = try Self.text(
            Sale(
                id: "0x5a1e",
                kind: "escrow",
                chain: 1,
                contract: "0xe5",
                listing: "0x1.1",
                phase: "transferred",
                stage: "running",
                seller: "0x1",
                buyer: "0x2",
                item: "1",
                price: money,
                payouts: nil,
                actions: [
                    SaleAction(
                        move: "dispute",
                        until: time,
                        consequence: [Sentence("escrow.dispute")]
                    )
                ],
                deadline: nil,
                confirmations: 3,
                confirmationsNeeded: 3
            )
        )
        listing = try Self.text(
            Listing(
                id: "0x1.1",
                record: "0x4e",
                author: "0x1",
                content: ListingContent(title: "Red bicycle", price: money),
                anchor: nil,
                isAsPromised: true,
                salePhase: "listed",
                createdAt: time,
                firstSeenAt: time
            )
        )
        wallet = try Self.text(
            Wallet(
                account: "0x1",
                chain: 1,
                balances: [money],
                credits: [
                    Wallet.Credit(
                        contract: "0xe5",
                        kind: "escrow",
                        money: money,
                        sales: [Wallet.Part(sale: "0x5a", amount: money.amount)]
                    )
                ],
                locked: [
                    Wallet.Locked(sale: "0x5b", kind: "escrow", phase: "paid", money: money)
                ]
            )
        )
        address = try Self.text(
            DeliveryAddress(place: "DE", point: GeographicPoint(latitude: 1, longitude: 2))
        )
        draft = try Self.text(
            Draft(
                name: "1",
                content: ListingContent(
                    title: "Red bicycle",
                    description: "Steel.",
                    category: "vehicles",
                    price: money
                ),
                changedAt: time
            )
        )
        var terms = EscrowTerms()
        terms.sellerDeposit = "1"
        draftWithDeposits = try Self.text(
            Draft(
                name: "deposits",
                content: ListingContent(
                    title: "Red bicycle",
                    description: "Steel.",
                    category: "vehicles",
                    price: money,
                    terms: terms
                ),
                changedAt: time
            )
        )
        homes = try Self.text([
            Home(peer: Self.ownPeer, address: "/ip4/192.0.2.2", until: time, isThisNode: true),
            Home(peer: "16Uiu2HA0", address: "/ip4/192.0.2.1", until: time, isThisNode: false),
        ])
        let line = SavedListing(
            listing: "0x1.1",
            seller: "0x1",
            since: time,
            title: "Red bicycle",
            price: money
        )
        cart = try Self.text(Cart(lines: [line], totals: []))
        preview = try Self.text(
            ActionPreview(
                action: "dispute",
                subject: "0x5a1e",
                summary: [Sentence("escrow.dispute")],
                leaves: !costsFee
                    ? []
                    : [
                        ActionPreview.Outgoing(
                            purpose: "fee",
                            amount: money.amount,
                            currency: "native"
                        )
                    ],
                total: costsFee ? [money] : [],
                deadline: deadline.map {
                    Sale.Deadline(at: $0, consequence: [Sentence("escrow.claimOpens")])
                },
                feeMax: costsFee ? money.amount : nil,
                warnings: restsOnOneSource ? [Sentence("chain.oneEndpoint")] : [],
                restsOnOneSource: restsOnOneSource
            )
        )
        document = try DocumentAnswers()
        refusal = try Self.text(
            Problem(
                type: "",
                title: "",
                status: 409,
                detail: "Not here.",
                code: ProblemCode.moveNotOpen.rawValue
            )
        )
    }

    func answer(to request: ScriptedServer.Request) -> ScriptedServer.Answer {
        let path = request.uri.split(separator: "?")[0]
        let example = document.answer(to: request) ?? .json(409, refusal)
        // Who signs out is not signed in for the commands after it.
        if request.method == "DELETE", path == "/v1/sessions/current" { return .json(409, refusal) }
        if path.hasSuffix("/preview") { return .json(200, preview) }
        guard request.method == "GET" else { return example }
        let parts = path.split(separator: "/").dropFirst().map(String.init)
        return switch (parts[0], parts.count) {
        case ("currencies", 1): .json(200, currencies)
        case ("sales", 2): .json(200, sale)
        case ("listings", 2): .json(200, listing)
        case ("wallet", 1): .json(200, wallet)
        case ("cart", 1): .json(200, cart)
        case ("drafts", 1): .json(200, "[\(draft)]")
        case ("drafts", 2): .json(200, parts[1] == "deposits" ? draftWithDeposits : draft)
        case ("homes", 1): .json(200, homes)
        case ("address", 1): .json(200, address)
        default: example
        }
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encoder().encode(value), as: UTF8.self)
    }
}
