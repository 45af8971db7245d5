import Answers
package import Client
import Foundation
package import Keys
package import Mail
package import Market

/// Where the node's accounts have items sent, in their vaults.
package struct DeliveryAddresses: Sendable {
    private static let name = Array("delivery-address".utf8)
    private let vault: Vault

    package init(vault: Vault) { self.vault = vault }

    /// Returns the account's address; an empty one if it has none.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`.
    package func address(of account: Address) async throws -> Client.DeliveryAddress {
        let contents = try await vault.contents(of: account)
        guard let value = contents.value(Self.name, in: .settings) else { return DeliveryAddress() }
        // A later version may write content that this one does not read.
        return (try? WireCoding.decoder().decode(DeliveryAddress.self, from: Data(value)))
            ?? DeliveryAddress()
    }

    /// Returns the account's own destination.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` if none is given, `shipping_not_possible` for a
    ///   place that this version does not know, `needs_unlock`.
    package func destination(of account: Address, field: String = "toMe") async throws
        -> Destination
    {
        let address = try await address(of: account)
        guard address.place != nil || address.point != nil else {
            throw Refusal(.malformedValue, Sentence("refusal.noSavedPlace"), field: field)
        }
        return try Destination(entered: address.place, point: address.point, for: .online)
    }

    /// Replaces the account's address; an empty one removes it.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`, `shipping_not_possible`, `needs_unlock`.
    package func put(
        _ address: Client.DeliveryAddress,
        of account: Address
    ) async throws -> Client.DeliveryAddress {
        if let text = address.text { try Self.check(text) }
        var address = address
        address.place = address.place.map(Self.withCountryInCapitals)
        if let place = address.place {
            guard !place.isEmpty, place.utf8.count <= Delivery.placeByteCountMax else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.placeLength", ["bytes": "\(Delivery.placeByteCountMax)"]),
                    field: "place"
                )
            }
        }
        _ = try Destination(
            entered: address.place,
            point: address.point,
            for: .online,
            fields: ("place", "point")
        )
        let isEmpty = address == DeliveryAddress()
        let value = [UInt8](try WireCoding.encoder().encode(address))
        guard value.count <= VaultSection.settings.valueByteCountMax else {
            throw Refusal(.malformedValue, Sentence("refusal.addressTooLong"), field: "text")
        }
        try await vault.write(of: account, isAddition: !isEmpty) { contents in
            guard contents.value(Self.name, in: .settings) != (isEmpty ? nil : value) else {
                return []
            }
            return [
                Vault.Change(section: .settings, name: Self.name, value: isEmpty ? nil : value)
            ]
        }
        return address
    }

    /// Returns a place with its country as ISO 3166 writes it: `Bavaria, DE` for `Bavaria, de`
    /// and for `Bavaria, Germany`.
    static func withCountryInCapitals(_ place: String) -> String {
        let start = place.lastIndex(of: ",").map { place.index(after: $0) } ?? place.startIndex
        let country = place[start...].trimmingCharacters(in: .whitespaces)
        guard let code = Countries.named(country) else { return place }
        return place[..<start] + (start == place.startIndex ? "" : " ") + code
    }

    /// Checks the text of an address.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    static func check(_ text: String) throws(Refusal) {
        do { try MailAddress.checked(text) } catch {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.addressLength", ["bytes": "\(MailAddress.textByteCountMax)"]),
                field: "text"
            )
        }
    }
}
