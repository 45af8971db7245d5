import Answers
package import Client
import Concurrency
import Foundation
package import Keys
import Market
import Records
import Setup
import Storage

/// Lists and revokes the devices of an account.
extension Chat {
    /// Returns the account's devices as far as this node knows their certificates, the newest
    /// first.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`.
    package func devices(of account: Address) async throws -> [Device] {
        let own = try await unlockedAccount(account).slot
        let records = try store.read {
            try $0.records(of: .device, by: account, limit: RecordKind.device.slotsMax)
        }
        let devices = records.compactMap { stored -> Device? in
            guard case .device(let certificate) = stored.readable()?.content else { return nil }
            return Device(
                id: certificate.slot.hex,
                name: certificate.name,
                isThisNode: certificate.slot == own,
                since: stored.version.createdAt.date
            )
        }
        return devices.sorted { ($0.since, $0.id) > ($1.since, $1.id) }
    }

    /// Withdraws the certificate of one of the account's devices, for good.
    ///
    /// Homes that have the withdrawal no longer deliver mail to the device, and senders neither
    /// seal mail for it nor accept mail from it. The node that has the device still has the
    /// account's key, unless the account was removed there.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`, `not_found`, `ambiguous_id`,
    ///   and `not_allowed` for this node's own.
    package func revoke(device text: String, of account: Address) async throws {
        let unlocked = try await unlockedAccount(account)
        let typed = text.lowercased()
        let wanted = typed.hasPrefix("0x") ? typed : "0x" + typed
        let found = try await devices(of: account)
            .filter { wanted.count > 2 && $0.id.hasPrefix(wanted) }
        let candidates = found.map { device in
            let values = ["id": device.id, "name": device.name]
            return NamedID(id: device.id, Sentence("match.name", values))
        }
        guard let id = try NamedID.only(candidates, text, field: "id"),
            let slot = Bytes32(hex: id)
        else {
            throw Refusal(
                .notFound,
                Sentence("refusal.noDevice", ["device": text.quoted]),
                field: "id"
            )
        }
        guard slot != unlocked.slot else {
            throw Refusal(.notAllowed, Sentence("refusal.ownDevice"), field: "id")
        }
        let recordService = context.recordService
        let key = try unlocked.key
        _ = try await recordService.publish(.withdrawal(.device), slot: slot, by: key)
        await homePublisher.recordsChanged(of: account)
        context.signals.homes.send()
    }
}
