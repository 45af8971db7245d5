import Client
import Concurrency
import Foundation
import Setup

/// The JSON Schemas of the API's types, derived from an example of each with all fields.
///
/// Source: JSON Schema 2020-12.
enum APISchemas {
    static let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    static let hash = "0x" + String(repeating: "0f", count: 32)
    static let listing = address + "." + String(repeating: "0f", count: 32)
    static let seconds: UInt64 = 1_767_225_600
    static let time = Date(timeIntervalSince1970: Double(seconds))
    static let contract = ChainStatus.Contract(kind: "escrow", address: address)
    static let money = Money(amount: "500000000000000000", currency: "native")

    static func all() throws -> [String: Any] {
        var schemas: [String: Any] = [:]
        for example in examples + searchExamples + [mediaFile] {
            schemas["\(type(of: example))"] = try schema(of: example)
        }
        for example in calls {
            let data = try WireCoding.encoder().encode(example)
            let name = "\(type(of: example))"
            var schema = schemas[name] as? [String: Any] ?? [:]
            schema["example"] = try JSONSerialization.jsonObject(with: data)
            schemas[name] = schema
        }
        return schemas
    }

    /// Valid examples of request bodies that cannot have all fields at once.
    private static let calls: [any Codable & Sendable] = [
        AccountCreation(name: "ana", password: "correct horse"),
        ReportDraft(listing: listing, text: "The picture shows another bicycle."),
        ListingContent(
            title: "Red bicycle",
            description: "Ridden for two summers.",
            category: "vehicles",
            tags: ["bicycle"],
            price: money,
            identifier: "WTU 123 456",
            shipsTo: ["DE"]
        ),
    ]

    static var examples: [any Codable] {
        let account = Account(
            name: "ana",
            address: address,
            createdAt: time,
            isUnlocked: true,
            signsElsewhere: false
        )
        let phase = Client.Operation.Phase(
            name: .confirmed,
            state: .done,
            detail: "2 of 3",
            endedAt: time
        )
        let message = Message(
            id: hash,
            conversation: hash,
            sender: address,
            text: "Is it still there?",
            sentAt: time,
            arrivedAt: time,
            state: "sent",
            heldBy: 1,
            problem: "…"
        )
        let content = listingContent
        let own: [any Codable] = [
            AccountCreation(name: "ana", password: "correct horse", phrase: "…"),
            CreatedAccount(account: account, phrase: "…"), account,
            AccountName(account: address, name: "ana", isHere: true),
            SignIn(account: "ana", password: "correct horse"),
            AccountRemoval(password: "right horse", acceptsLosses: true),
            AccountImport(
                name: "ana",
                password: "correct horse",
                privateKey: "0x…",
                keystore: "…",
                keystorePassword: "…"
            ),
            PasswordChange(
                password: "right horse",
                phrase: "…",
                privateKey: "…",
                newPassword: "correct horse"
            ),
            PasswordProof(password: "right horse"),
            ExportedKeystore(address: address, fileName: "UTC--…", keystore: "…"),
            RevealedKey(address: address, privateKey: "0x…"),
            Session(token: "0f…", account: account, idleUntil: time, expiresAt: time),
            Client.Operation(
                id: hash,
                kind: .buy,
                state: .running,
                account: address,
                chain: 1,
                subject: hash,
                phases: [phase],
                problem: problem,
                createdAt: time,
                feeMax: "1"
            ),
            Client.Event(id: 1, time: time, type: "sale", subject: hash, data: ["phase": "paid"]),
            content,
            Listing(
                id: listing,
                record: hash,
                author: address,
                content: content,
                anchor: Listing.Anchor(chain: 1, contract: address, sale: hash),
                isAsPromised: true,
                state: "open",
                salePhase: "listed",
                price: money,
                isCurrencyAccepted: true,
                highestBid: money,
                minimalBid: money,
                freeSeats: 1,
                rivals: [identifierUse],
                tokenSince: time,
                distance: 1_200,
                endsAt: time,
                createdAt: time,
                firstSeenAt: time
            ),
            sale,
            item,
            Purchase(
                listing: listing,
                bid: "2",
                fromCredit: "1",
                round: 0,
                shipTo: "DE",
                shipToPoint: GeographicPoint(latitude: 48.137, longitude: 11.575),
                address: AddressDisclosure(text: "…"),
                sale: hash,
                acceptsChanges: false,
                acceptsOneSource: false
            ),
            SaleMove(
                move: "propose",
                share: 5_000,
                until: seconds,
                round: 0,
                points: [90],
                price: money,
                course: courseTerms,
                acceptsOneSource: false
            ),
            student, attendance, attendanceMarks,
            Arbitration(chain: 1, feeMin: "10000000000000000", until: seconds),
            CreditCollection(currency: "native", amount: "1", to: address, chain: 1),
            actionPreview,
            ReviewDraft(sale: hash, stars: 5, text: "As described.", media: [listingMedia]),
            Review(
                record: hash,
                author: address,
                subject: address,
                sale: hash,
                chain: 1,
                listing: listing,
                stars: 5,
                text: "As described.",
                media: [listingMedia],
                outcome: "complete",
                price: money,
                createdAt: time
            ),
            ConversationOpening(with: address, listing: listing), message,
            MessageDraft(text: "Yes."),
            Conversation(
                id: hash,
                with: address,
                listing: listing,
                title: "Red bicycle",
                lastMessage: message,
                unread: 0
            ),
            ReadThrough(message: "0f0f0f0f0f0f0f0f-1"),
            Device(id: hash, name: "16Uiu2HA…", isThisNode: true, since: time),
            Home(peer: "16Uiu2HA…", address: "/ip4/…", until: time, isThisNode: false),
            HomeRequest(address: "/ip4/192.0.2.1/tcp/4001/p2p/16Uiu2HA…"),
            PeerAddress(address: "/ip4/192.0.2.1/tcp/4001/p2p/16Uiu2HA…"),
            Peer(
                id: "16Uiu2HA…",
                addresses: ["/ip4/…"],
                isConnected: true,
                direction: "inbound",
                agent: "stoa/1",
                missing: 0
            ),
            chainStatus,
            NodeStatus(
                version: Version.text,
                network: "stoa",
                peer: "16Uiu2HA…",
                listenAddresses: ["/ip4/…"],
                peers: 2,
                records: 3,
                chains: [chainStatus],
                reportsTo: address,
                clock: NodeClock(chainAheadSeconds: -3, peersAheadSeconds: -1, warning: "…")
            ),
            problem,
        ]
        return own + wallet + walletExamples + moderationExamples + savedExamples
    }

    static var sale: Sale {
        Sale(
            id: hash,
            kind: "escrow",
            chain: 1,
            contract: address,
            listing: listing,
            promised: Sale.Commitment(
                title: "Red bicycle",
                description: "Ridden for two summers.",
                identifier: "wtu123456"
            ),
            phase: "listed",
            stage: "offered",
            seller: address,
            buyer: address,
            item: "1",
            price: money,
            since: time,
            history: [
                Sale.Step(move: "list", by: address, at: time, transaction: hash, link: "https://…")
            ],
            payouts: [Sale.Payout(role: "seller", account: address, amount: "1")],
            actions: [
                SaleAction(move: "agree", share: 5_000, round: 0, until: time, consequence: "…")
            ],
            deadline: Sale.Deadline(at: time, consequence: "…"),
            confirmations: 1,
            confirmationsNeeded: 3,
            warnings: ["…"],
            deliveryAddress: "…",
            asOf: time,
            escrow: Sale.Escrow(
                terms: escrowTerms,
                proposals: [
                    Sale.Proposal(by: address, role: "buyer", share: 5_000, until: time)
                ]
            ),
            auction: auction,
            direct: Sale.DirectSale(terms: directTerms),
            course: course
        )
    }

    private static var actionPreview: ActionPreview {
        ActionPreview(
            action: "buy",
            chain: 1,
            subject: hash,
            round: 0,
            sale: ActionPreview.PreviewedSale(
                id: hash,
                title: "Red bicycle",
                others: [ActionPreview.Party(role: "seller", account: address)]
            ),
            summary: "…",
            arbiter: ActionPreview.Arbiter(account: address, fee: money),
            receiver: ActionPreview.Receiver(
                account: address,
                name: "ana",
                isHere: true,
                isNamedByCaller: false
            ),
            leaves: [ActionPreview.Outgoing(purpose: "price", amount: "1", currency: "native")],
            total: [money],
            comesBack: [.init(amount: "1", currency: "native", when: "…", from: time)],
            deadline: Sale.Deadline(at: time, consequence: "…"),
            feeMax: "1",
            gas: 21_000,
            explanation: ["…"],
            warnings: ["…"],
            obstacles: ["…"],
            problems: [problem]
        )
    }
}
