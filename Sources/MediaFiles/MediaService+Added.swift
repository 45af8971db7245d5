import Answers
package import Client
package import Keys
import Market
import Setup

/// The files that accounts have added, and those that they want to remove.
extension MediaService {
    /// Returns files that an account added, by id; those of digital works are not among them.
    ///
    /// - Throws: ``Refusal`` with `malformed_value` for an `after` that is not an id.
    package nonisolated func added(
        by account: Address,
        after text: String?,
        limit: Int
    ) async throws -> Page<AddedMedia> {
        var last = try text.map { text in
            guard let id = Bytes32(hex: text), text.hasPrefix("0x") else {
                throw Refusal.badPlace
            }
            return id
        }
        var items: [AddedMedia] = []
        while items.count < limit {
            let found = try await blobs.added(by: account, after: last, limit: limit)
            for file in found where file.form != .sealed {
                guard items.count < limit else { return Page(items: items, next: items.last?.id) }
                items.append(AddedMedia(file))
            }
            guard found.count == limit, let end = found.last else {
                return Page(items: items, next: nil)
            }
            last = end.id
        }
        return Page(items: items, next: items.last?.id)
    }

    /// Keeps a file no longer for an account; copies of it go if room is needed.
    ///
    /// - Throws: ``Refusal`` with `unknown_media`; `not_allowed` while something that the account
    ///   has published names it, and for digital works.
    package nonisolated func remove(_ text: String, by account: Address) async throws {
        guard let id = Bytes32(hex: text), text.hasPrefix("0x") else { throw Self.notAdded(text) }
        switch try await blobs.release(id, by: account) {
        case .released: return
        case .unknown: throw Self.notAdded(text)
        case .named:
            throw Refusal(.notAllowed, Sentence("refusal.fileInUse"), field: "id")
        case .work:
            throw Refusal(.notAllowed, Sentence("refusal.fileOfWork"), field: "id")
        }
    }

    private nonisolated static func notAdded(_ id: String) -> Refusal {
        Refusal(.unknownMedia, Sentence("refusal.fileNotAdded", ["id": id.quoted]), field: "id")
    }
}

extension AddedMedia {
    fileprivate init(_ file: AddedBlob) {
        self.init(
            id: file.id.hex,
            type: file.form?.mediaType,
            length: file.byteCount,
            isNamed: file.isNamed
        )
    }
}
