import AccountAccess
import Keys
import Market

/// A record without which buyers cannot get a work: the certificate of the account's device on this
/// node, or its profile with nothing changed but its homes.
struct RenewedRecord: UnattendedUse {
    let move = UnattendedMove.deliver
    let digest: Bytes32

    /// Checks a draft; `nil` if it says anything else.
    init?(_ draft: RecordDraft, of device: PublicKey, replacing known: Profile?) {
        guard let kind = RecordKind(rawValue: draft.kind),
            let content = try? RecordContent(kind: kind, payload: draft.payload)
        else { return nil }
        switch content {
        case .device(let certificate) where certificate.key == device: break
        case .profile(let profile):
            guard let known, profile.name == known.name, profile.about == known.about,
                profile.avatar == known.avatar, profile.region == known.region
            else { return nil }
        default: return nil
        }
        digest = draft.id.digest
    }
}
