import Client
import Concurrency
import Texts

/// Tells an account's events in sentences, each thing once.
struct EventSentences {
    /// The thing that an event is about, as far as the node knows it.
    struct Subject {
        var sale: Sale?
        var listing: Listing?
        var operation: Client.Operation?
        /// The offer at another price that a message brings or a sale answers.
        var offer: PriceOffer?
        /// Whether a withdrawn sale is only replaced by another one of its listing.
        var isListedAgain = false

        /// Its title in quotes; the beginning of an id if it is not known.
        func title(orElse id: String) -> String {
            let title = sale?.promised?.title ?? listing?.content.title
            return title.map { "'\(DisplayText.line($0))'" } ?? IDText.short(id)
        }
    }

    /// How often a sale is asked for its title, a second apart.
    private static let titleTries = 5

    let names: Names
    /// The types that were asked for by name; their events are all told.
    let asked: Set<String>
    /// The data told last of each subject.
    private var told: [String: [String: String]] = [:]

    init(_ names: Names, asked: [String] = []) { (self.names, self.asked) = (names, Set(asked)) }

    /// Returns the line of an event; `nil` if it says nothing new to a person.
    mutating func line(_ event: Event, _ node: StoaClient) async -> String? {
        guard isNew(event) else { return nil }
        var subject = await Self.subject(of: event, node)
        await subject.addOffer(for: event, names.own, node)
        // The sale that replaces it is told by its own event.
        guard !subject.isListedAgain || asked.contains(event.type) else { return nil }
        return line(event, about: subject)
    }

    /// Whether an event says more than the last one of its subject; remembers it.
    ///
    /// An operation is news once it ends or waits for its owner, a sale when its phase, its highest
    /// bid or the other side's proposal changes, and a message when it arrives or fails.
    mutating func isNew(_ event: Event) -> Bool {
        guard !asked.contains(event.type) else { return true }
        let keys: [String]
        switch event.type {
        case "operation":
            guard event.data["state"] != "running" else { return false }
            keys = ["state"]
        case "sale":
            keys =
                ["phase", "highestBid", "warning"]
                + [Self.proposalKey(event)].compactMap(\.self)
        case "message":
            let isOwn = event.data["sender"] == names.own
            return !isOwn && event.data["state"] == "received" || event.data["state"] == "failed"
        case "receipt", "media": return false
        default: return true
        }
        let news = event.data.filter { keys.contains($0.key) }
        let place = event.type + event.subject
        defer { told[place] = news }
        guard let before = told[place] else { return true }
        // A proposal that is gone is no news.
        return news.contains { before[$0.key] != $0.value }
    }

    private static func subject(of event: Event, _ node: StoaClient) async -> Subject {
        var subject = Subject()
        switch event.type {
        case "sale", "deadline", "reopening": subject.sale = try? await titled(event.subject, node)
        case "listing", "listing_found": subject.listing = try? await node.listing(event.subject)
        case "operation":
            let operation = try? await node.operation(event.subject)
            subject.operation = operation
            guard let about = operation?.subject else { break }
            switch operation?.kind {
            case .list, .edit, .withdraw: subject.listing = try? await node.listing(about)
            case .buy, .bid, .move: subject.sale = try? await node.sale(about)
            default: break
            }
        default: break
        }
        return subject
    }

    /// Returns a sale, with its title as soon as the node has it.
    ///
    /// The sale is on the chain some seconds before its listing is published.
    private static func titled(_ id: String, _ node: StoaClient) async throws -> Sale {
        var sale = try await node.sale(id)
        for _ in 0..<titleTries where sale.promised == nil && sale.isOfferedNow {
            try await SystemMonotonicClock().wait(.seconds(1))
            sale = try await node.sale(id)
        }
        return sale
    }

    /// Formats an event, with its number, which `--after` takes.
    func line(_ event: Event, about subject: Subject) -> String {
        guard let sentence = sentence(event, subject) else { return EventText.line(event) }
        return "\(event.id)  \(TimeText.text(event.time))  \(sentence)"
    }

    private func sentence(_ event: Event, _ subject: Subject) -> String? {
        let title = subject.title(orElse: event.subject)
        return switch event.type {
        case "operation": operation(event, subject)
        case "sale": acceptance(subject.offer, of: title) ?? sale(event, subject.sale, title)
        case "deadline": DeadlineNews(event).map { "\(title): \(EventText.text($0))" }
        case "reopening": event.data["detail"].map { "\(title): \(DisplayText.line($0))" }
        case "listing": event.data["state"].map { "\(title) is \(DisplayText.line($0))." }
        case "listing_found":
            "Your search '\(DisplayText.line(event.data["search"] ?? ""))' has found \(title): "
                + NextStep(.showListing, IDText.short(event.subject)).command
        case "message": message(event, subject.offer)
        case "gap": "Events before this are missing: the node keeps them for seven days."
        default: nil
        }
    }

    private func operation(_ event: Event, _ subject: Subject) -> String? {
        guard let kind = event.data["kind"], let state = event.data["state"] else { return nil }
        let words = SentencePatterns.english.words(for: kind, in: "operation")
        let isKnown = subject.sale != nil || subject.listing != nil
        let about = isKnown ? " (\(subject.title(orElse: "")))" : ""
        let what = "Your \(words)\(about)"
        let reason = subject.operation?.problem?.detail ?? event.data["detail"] ?? ""
        return switch state {
        case "done": "\(what) is done."
        case "failed": "\(what) has failed: \(DisplayText.line(reason))"
        case "needs_unlock": "\(what) waits until you sign in: stoa account sign-in"
        case "needs_signature": "\(what) waits for your wallet: stoa signature list"
        default: nil
        }
    }

    private func sale(_ event: Event, _ sale: Sale?, _ title: String) -> String? {
        if let warning = event.data["warning"] { return "\(title): \(DisplayText.line(warning))" }
        guard let phase = event.data["phase"] else { return nil }
        if phase == "bid", let amount = event.data["highestBid"], let sale {
            return CurrencyUnits.on(sale.chain) { bid(amount, event, sale, title) }
        }
        if let sale, let text = proposal(event, in: sale, title) { return text }
        // Only its status says that an item is for the buyer to collect.
        let isHandedOver = phase == "transferred" && sale?.phase == phase
        let words =
            isHandedOver
            ? sale?.status.detail : SentencePatterns.english.words(for: phase, in: "phase")
        let text = "\(title) is \(words ?? phase)."
        // An old event calls for nothing: the sale has gone on.
        guard let sale, sale.phase == phase, let step = NextStep.of(sale).first else {
            return text
        }
        return text + " " + step.text
    }

    private func bid(_ amount: String, _ event: Event, _ sale: Sale, _ title: String) -> String {
        let money = MoneyText.text(amount, sale.price.currency)
        let bidder = event.data["bidder"] ?? ""
        guard event.data["role"] == "bidder", bidder != names.own else {
            let who = bidder == names.own ? "You" : names.short(bidder)
            return "\(who) bid \(money) for \(title)."
        }
        let isLast = sale.auction?.highestBid?.amount == amount
        let next = sale.auction?.minimalBid.map { MoneyText.paid($0, sale.price.currency) }
        return "You were outbid on \(title): \(money)"
            + (isLast ? next.map { "; the next bid is at least \($0)" } ?? "" : "") + "."
    }

    private func message(_ event: Event, _ offer: PriceOffer?) -> String {
        let command = NextStep(.messages, IDText.short(event.subject)).command
        guard event.data["sender"] != names.own else {
            return "A message of yours was not sent: \(command)"
        }
        guard event.data["kind"] != "offer" else {
            return priceOffer(from: event.data["sender"] ?? "", offer)
        }
        return "\(names.short(event.data["sender"] ?? "")) has written to you: \(command)"
    }
}

extension Sale {
    /// Whether its listing can be about to be published.
    fileprivate var isOfferedNow: Bool { ["listed", "ready", "open"].contains(phase) }
}
