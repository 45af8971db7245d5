import Answers
import Client
import Keys
import Market
import Records
import Storage

/// A planner of listings that works with the services of the planner of their sales.
protocol OfferPlanning: Sendable {
    var offerPlanner: OfferPlanner { get }
}

extension OfferPlanning {
    var markets: Markets { offerPlanner.markets }
    var runner: OperationRunner { offerPlanner.runner }
    var store: Store { offerPlanner.store }
    var clockWatch: ClockWatch { offerPlanner.clockWatch }
    var saleIndexes: SaleIndexes { offerPlanner.saleIndexes }

    /// Proposes an operation on a listing that a caller names.
    ///
    /// - Parameters:
    ///   - kind: The action.
    ///   - text: The listing's id.
    ///   - content: The full request, for comparing it with others.
    ///   - account: The account that asks.
    ///   - acceptsOneSource: Whether one endpoint's answer is enough while no second one answers.
    ///   - plan: Plans it, for the listing.
    /// - Returns: The operation, to preview or to begin.
    /// - Throws: ``Refusal`` for a text that is no listing's id.
    func proposal(
        _ kind: Client.Operation.Kind,
        on text: String,
        asking content: some Encodable & Sendable,
        by account: Address,
        acceptsOneSource: Bool,
        _ plan: @escaping @Sendable (ListingID, inout PlannedOperation) async throws -> Void
    ) throws -> ProposedOperation {
        let id = try ListingID(text)
        return ProposedOperation(
            kind,
            content,
            by: account,
            acceptsOneSource: acceptsOneSource,
            on: runner
        ) {
            try await plan(id, &$0)
        }
    }
}
