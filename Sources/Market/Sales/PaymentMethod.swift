/// How the buyer of a listing pays.
package enum PaymentMethod: String, CaseIterable, Sendable {
    case escrow, direct, auction, enrolment
}
