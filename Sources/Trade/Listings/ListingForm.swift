import Answers
import Client
import Foundation
import Market

/// A listing's content as a form that somebody fills in, with values that would pass.
///
/// The checks of a listing refuse the first fault that they meet. A preview notes all of them: each
/// field at fault gets the model's value, and the checks run again.
struct ListingForm: Sendable {
    let content: ListingContent
    /// The action of the preview: `list` or `edit`.
    let action: String
    /// Returns content with the same type and payment that passes; asked for at the first fault.
    ///
    /// `nil` if it cannot be known, such as for an unknown type.
    let model: @Sendable (ListingContent) -> ListingContent?

    /// The names of a listing's fields, in their order.
    fileprivate static let fields = Mirror(reflecting: ListingContent.sample).children
        .compactMap(\.label)

    /// Returns the place in the form of the field at fault, by its name before the point.
    fileprivate static func place(of fault: Refusal) -> Int? {
        fault.field.flatMap { field in fields.firstIndex { $0 == field.prefix { $0 != "." } } }
    }
}

extension PlannedOperation {
    /// Plans what a form asks for; a preview with faults in the form notes all of them instead, in
    /// the order of the form.
    ///
    /// - Throws: The errors of `body`, except for a fault of the form in a preview.
    mutating func fill(
        _ form: ListingForm,
        _ body: (ListingContent, inout PlannedOperation) async throws -> Void
    ) async throws {
        guard isPreview else { return try await body(form.content, &self) }
        var (content, faults) = (form.content, [Refusal]())
        while true {
            var attempt = self
            do {
                try await body(content, &attempt)
                if faults.isEmpty { self = attempt }
                break
            } catch let fault as Refusal where fault.isOfForm || !faults.isEmpty {
                // The same again depends on other fields; another obstacle comes after the faults.
                guard fault.isOfForm, let field = fault.field,
                    !faults.contains(where: { $0.field == field })
                else { break }
                faults.append(fault)
                guard let model = form.model(form.content),
                    let mended = content.mended(at: field, like: model)
                else { break }
                content = mended
            }
        }
        guard !faults.isEmpty else { return }
        preview = ActionPreview(action: form.action, summary: [])
        // Faults of one field stay in the order of their checks.
        let sorted = faults.enumerated().sorted { one, other in
            let places = (ListingForm.place(of: one.element), ListingForm.place(of: other.element))
            return (places.0 ?? 0, one.offset) < (places.1 ?? 0, other.offset)
        }
        for (_, fault) in sorted { try note(fault) }
    }
}

extension Refusal {
    /// Whether it is for a field of a listing's content.
    fileprivate var isOfForm: Bool {
        let codes: [ProblemCode] = [
            .badListing, .badTerms, .badAmount, .badAddress, .badMedia, .unknownMedia,
        ]
        return codes.contains(code) && ListingForm.place(of: self) != nil
    }
}

extension ListingContent {
    fileprivate static let sample = ListingContent(
        title: "",
        price: Money(amount: "0", currency: "native")
    )

    /// Fields that only fit together.
    private static let delivered = ["delivery", "shipsTo", "shipsWithin", "pickupPlace"]

    /// Returns content that passes as a new listing of this type and payment, without the terms of
    /// its kind of sale; `nil` for an unknown type.
    func passing() -> ListingContent? {
        guard let form = Market.Listing.Form(rawValue: type) else { return nil }
        let isShipped = form == .goods && delivery != Delivery.Method.pickup.rawValue
        let isFetched = !isShipped && delivery == Delivery.Method.pickup.rawValue
        let method: Delivery.Method = isShipped ? .shipping : isFetched ? .pickup : .online
        return ListingContent(
            type: type,
            title: "A",
            description: "A",
            // Those of the other forms are named as the form.
            category: form == .goods ? "other" : type,
            tags: ["a"],
            price: Money(amount: SaleLimits.priceMin.decimal, currency: "native"),
            chain: chain,
            payment: payment,
            identifier: "a1",
            delivery: method.rawValue,
            pickupPlace: isFetched ? "A" : nil
        )
    }

    /// Returns the content with a model's value in a field at fault.
    ///
    /// - Returns: `nil` if faults of other fields would follow from the model's value: of a type, a
    ///   payment or a chain.
    fileprivate func mended(at field: String, like model: ListingContent) -> ListingContent? {
        let parts = field.split(separator: ".").map(String.init)
        guard let name = parts.first, !["type", "payment", "chain"].contains(name),
            var own = Self.object(self), let others = Self.object(model)
        else { return nil }
        func value(_ part: String) -> Any? { (others[name] as? [String: Any])?[part] }
        if name == "price", var price = own[name] as? [String: Any] {
            let part = field == "price.currency" ? "currency" : "amount"
            price[part] = value(part)
            own[name] = price
            // The price bounds the amounts of the terms.
            if part == "amount" { Self.dropAmounts(of: givenTerms.map(\.field), in: &own) }
        } else if Self.delivered.contains(name) {
            for name in Self.delivered { own[name] = others[name] }
        } else if parts.count > 1, var nested = own[name] as? [String: Any] {
            nested[parts[1]] = value(parts[1])
            own[name] = nested
        } else {
            own[name] = others[name]
        }
        // A value that cannot be left out, and that the model lacks, cannot be mended.
        guard let data = try? JSONSerialization.data(withJSONObject: own) else { return nil }
        return try? WireCoding.decoder().decode(ListingContent.self, from: data)
    }

    private static func dropAmounts(of terms: [String], in content: inout [String: Any]) {
        for name in terms {
            content[name] = (content[name] as? [String: Any])?.filter { _, value in
                (value as? String)?.allSatisfy(\.isWholeNumber) != true
            }
        }
    }

    private static func object(_ content: ListingContent) -> [String: Any]? {
        // Its own JSON can be read again.
        guard let data = try? WireCoding.encoder().encode(content) else { return nil }
        return try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    }
}
