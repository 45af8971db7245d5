package import Keys
package import Market

// A device's prekey bundle and grants belong to its certificate: they are kept only beside a
// certificate that is here and not revoked, and removed with it. So an account has as many of them
// as it has devices, and a revoked device no longer has a say.

extension WriteTransaction {
    /// Forgets the data for the device of a removed record, unless `successor`, which takes the
    /// record's slot, certifies it again.
    mutating func removeDeviceMail(of record: StoredRecord, replacedBy successor: StoredRecord?)
        throws
    {
        let key = record.version.key
        guard key.kind == .device else { return }
        // Stored bytes that a stricter rule no longer accepts as a record certify nothing.
        if let successor, let signed = try? SignedRecord(stored: successor.bytes),
            !signed.isWithdrawal
        {
            return
        }
        try remove(PrekeyBundles.self, CompositeKey(key.author, key.slot))
        try remove(MailGrants.self, CompositeKey(key.author, key.slot))
    }

    /// Removes the data for any of an account's devices.
    mutating func removeDeviceMail(of account: Address) throws {
        try remove(PrekeyBundles.self, .prefix(account))
        try remove(MailGrants.self, .prefix(account))
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The key of a device, if its account has certified it and not taken that back.
    package func deviceKey(_ slot: Bytes32, of account: Address) throws -> PublicKey? {
        let place = RecordKey(author: account, kind: .device, slot: slot)
        guard case .device(let certificate) = try record(in: place)?.readable()?.content else {
            return nil
        }
        return certificate.key
    }

    /// Whether nothing about a device is stored: neither a certificate nor a revocation.
    package func isUnknownDevice(_ slot: Bytes32, of account: Address) throws -> Bool {
        let place = RecordKey(author: account, kind: .device, slot: slot)
        return try record(in: place) == nil
            && !contains(RevokedDevices.self, CompositeKey(account, slot))
    }

    /// The devices that an account has certified now, the latest certified first.
    package func devices(of account: Address) throws -> [DeviceCertificate] {
        try records(of: .device, by: account, limit: RecordKind.device.slotsMax).compactMap {
            guard case .device(let certificate) = $0.readable()?.content else { return nil }
            return certificate
        }
    }
}
