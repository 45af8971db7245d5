package import Keys

/// The consents of accounts that an item is listed again if the buyer of an accepted offer does not
/// pay, by account and the sale that is reserved for the buyer.
package enum ReopeningConsents: Table {
    package typealias Key = CompositeKey<Address, Bytes32>
    package typealias Value = [UInt8]
    package static let name = "reopening-consents"
}
