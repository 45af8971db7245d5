import AccountAccess
import Answers
import Client
import Ethereum
import Keys
import Mail
import Market

/// A text that an operation sends to others once it is final.
package struct PlannedText: Sendable {
    let text: String
    let pictureCount: Int
    /// The text with the ids of its pictures, sealed for the account alone.
    let sealed: [UInt8]
    /// Distinguishes it from another text and reveals nothing about it.
    let digest: Bytes32
}

/// The texts that operations disclose once they are final: a purchase its address, a move its note.
package struct PlannedTexts: Sendable {
    let addresses: AddressDisclosures
    let notes: SaleNotes

    private var chat: Chat { notes.chat }
    private var pictures: NotePictures { notes.pictures }

    /// Seals a text, and the ids of its pictures, for its account, so that an operation can keep it
    /// until it is final.
    ///
    /// - Throws: ``Refusal`` with `needs_unlock`, `signs_elsewhere`, and as
    ///   ``NotePictures/added(_:by:)``.
    func planned(
        _ text: String,
        pictures: [String] = [],
        by account: Address
    ) async throws -> PlannedText {
        let seal = try await chat.unlockedAccount(account).seal
        _ = try await self.pictures.added(pictures, by: account)
        let parts = [text] + pictures
        return PlannedText(
            text: text,
            pictureCount: pictures.count,
            sealed: pictures.isEmpty
                ? try seal.seal(text, for: .plannedText) : try seal.seal(parts, for: .plannedText),
            // No text has the separator.
            digest: seal.digest(Array(parts.joined(separator: "\0").utf8), for: .plannedText)
        )
    }

    /// Sends what an operation discloses, once however often it is asked.
    ///
    /// - Throws: ``Refusal`` if it will never be sent.
    func disclose(
        _ disclosure: OperationPlan.Disclosure,
        of operation: FinalOperation
    ) async throws -> PublishingAnswer {
        guard let view = try view(of: disclosure.sale, on: operation.chain),
            operation.isSeen(in: view)
        else { return .later([Sentence("progress.operationNotSeen")]) }
        let sale = view.sale
        if case .address = disclosure.content {
            try addresses.requireNeed(of: sale, by: operation.account)
        }
        do {
            let unlocked = try await chat.unlockedAccount(operation.account)
            let (text, ids) = try unlocked.seal.openPlanned(disclosure.sealed)
            switch disclosure.content {
            case .address: try await addresses.send(text, for: sale, of: operation, unlocked)
            case .note(let readers):
                guard let transaction = operation.transaction(in: sale) else {
                    return .later([Sentence("progress.operationNotSeen")])
                }
                let note = try MailNote(
                    for: sale.reference,
                    transaction: transaction,
                    text: text,
                    pictures: try await pictures.sealed(ids, for: sale.id, unlocked)
                )
                try await notes.send(note, in: sale, to: readers, unlocked)
            }
            return .done(nil)
        } catch let fault as RuleFault {
            throw fault.refusal(.malformedValue)
        } catch let refusal as Refusal where refusal.code == .nodeLocked {
            return .locked
        } catch let refusal as Refusal
            where [.notAllowed, .malformedValue, .mediaNoRoom].contains(refusal.code)
        {
            // Such as for a picture that was removed since, which its account can add again.
            return .later(
                refusal.reason ?? [Sentence("progress.chainError", ["reason": refusal.detail])]
            )
        }
    }

    private func view(of sale: SaleID, on chain: ChainID?) throws(Refusal) -> SaleView? {
        guard let chain else { return try notes.saleIndexes.onlyView(entered: sale.description) }
        return notes.saleIndexes[chain]?.view(of: sale)
    }
}

extension FinalOperation {
    /// Whether a view includes its transactions.
    fileprivate func isSeen(in view: SaleView) -> Bool {
        height.map { $0 <= view.block?.number ?? 0 } ?? (lastStep(in: view.sale) != nil)
    }

    /// Returns the transaction with the account's move; `nil` if the sale shows none.
    fileprivate func transaction(in sale: Market.Sale) -> Bytes32? {
        transaction ?? lastStep(in: sale)?.transaction
    }

    private func lastStep(in sale: Market.Sale) -> SaleStep? {
        sale.history.last { $0.move.account == account }
    }
}

extension LocalSeal {
    /// Opens a planned text and the ids of its pictures; a text without any is sealed alone.
    fileprivate func openPlanned(_ sealed: [UInt8]) throws -> (text: String, pictures: [String]) {
        let parts = try? open([String].self, sealed, for: .plannedText)
        guard let parts, let text = parts.first else {
            return (try open(String.self, sealed, for: .plannedText), [])
        }
        return (text, Array(parts.dropFirst()))
    }
}

extension LocalSeal.Context {
    fileprivate static let plannedText = Self(bytes: Array("planned address".utf8))
}
