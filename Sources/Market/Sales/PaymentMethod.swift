/// How a listing's money moves.
package enum PaymentMethod: String, CaseIterable, Sendable {
    case escrow, direct, auction, enrolment
}
