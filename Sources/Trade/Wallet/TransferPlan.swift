import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market

/// A planned transfer of money, after all checks for obstacles.
struct TransferPlan: Sendable {
    let currency: Currency
    let amount: Amount
    let receiver: Address
    let step: Intent.Step
    /// The fee that ``amount`` leaves in the account; `nil` if the amount does not depend on it.
    let fee: FeeQuote?
}

extension Wallets {
    /// Returns the amounts that a transfer sends.
    ///
    /// - Parameters:
    ///   - wanted: The transfer; its receiver is an address.
    ///   - account: The account that pays.
    ///   - feeMax: The maximum fee, which `max` leaves in the account; `nil` for the present one.
    /// - Returns: The transaction and the amount that it sends.
    /// - Throws: ``Refusal``: `bad_address`, `bad_amount`, `insufficient_balance`,
    ///   `contract_refused`, or the chain's health.
    func transfer(
        _ wanted: Transfer,
        of account: Address,
        feeMax: Amount?
    ) async throws -> TransferPlan {
        let receiver = try Address.entered(wanted.to, field: "to")
        try chain.deployment.requireReceiver(receiver, of: account)
        let currency = try wanted.enteredCurrency(in: chain.deployment)
        let due = await chain.due(account, currency)
        let balance = try await chain.balance(of: account, in: currency)
        let available = balance.subtracting(due) ?? .zero
        // If operations under way can take all, that is the reason of the refusal.
        var (amount, fee) = (available.isZero ? balance : available, nil as FeeQuote?)
        if wanted.amount != Transfer.all {
            amount = try Amount.entered(wanted.amount, field: "amount")
        } else if currency == .native {
            let least = Intent.Step(to: receiver, value: Amount(small: 1), data: [])
            var question = FeeQuestion([least], from: account, fees: chain.fees)
            question.agreed = feeMax
            let quote = try await chain.quote(question)
            let cost = feeMax ?? quote.total
            guard let rest = available.subtracting(cost), !rest.isZero else {
                throw chain.insufficient(cost, available: available, besides: due)
            }
            (amount, fee) = (rest, quote)
        }
        guard !amount.isZero else {
            throw Refusal(.badAmount, Sentence("refusal.sendMore"), field: "amount")
        }
        guard amount <= available else {
            throw chain.insufficient(amount, available: available, in: currency, besides: due)
        }
        return TransferPlan(
            currency: currency,
            amount: amount,
            receiver: receiver,
            step: Self.step(amount, currency, to: receiver),
            fee: fee
        )
    }

    private static func step(
        _ amount: Amount,
        _ currency: Currency,
        to receiver: Address
    ) -> Intent.Step {
        switch currency {
        case .native: Intent.Step(to: receiver, value: amount, data: [])
        case .token(let token):
            Intent.Step(TokenContract(address: token).transfer(amount, to: receiver))
        }
    }

    /// Refuses a transfer that the token answers with anything but success.
    ///
    /// Such a transfer would be mined, cost its fee, and move nothing.
    func requireSuccess(_ plan: TransferPlan, of account: Address) async throws {
        guard case .token(let token) = plan.currency else { return }
        let request = CallRequest(from: account, to: token, data: plan.step.data)
        let answer = try await chain.asking { try await chain.client.result(of: request) }
        guard TokenContract.isSuccess(answer) else {
            throw Refusal(.contractRefused, Sentence("refusal.tokenRefuses"))
        }
    }
}

extension Transfer {
    /// The amount that means everything.
    static let all = "max"

    fileprivate func enteredCurrency(in market: DeployedMarket) throws(Refusal) -> Currency {
        if currency == "native" { return .native }
        let token = Currency.token(try Address.entered(currency, field: "currency"))
        guard market.currencies.contains(token) else {
            throw Refusal(
                .badAddress,
                Sentence("refusal.notMarketsToken", ["token": token.name]),
                field: "currency"
            )
        }
        return token
    }
}

extension DeployedMarket {
    /// Refuses an address at which money would be unusable.
    func requireReceiver(
        _ receiver: Address,
        of account: Address
    ) throws(Refusal) {
        let address = receiver.checksummed
        let reason: Sentence
        if receiver == account {
            reason = Sentence("refusal.ownReceiver")
        } else if receiver.bytes.dropLast(2).allSatisfy({ $0 == 0 }) {
            reason = Sentence("refusal.keylessReceiver", ["address": address])
        } else if let kind = ownName(of: receiver) {
            reason = Sentence("refusal.contractReceiver", ["address": address, "contract": kind])
        } else {
            return
        }
        throw Refusal(.badAddress, reason, field: "to")
    }

    /// Returns the code of an address's role in this market; `nil` if it is none of its contracts.
    private func ownName(of address: Address) -> String? {
        if address == item.address { return "contract.item" }
        if let kind = contract(at: address)?.kind ?? unknown[address] { return "payment.\(kind)" }
        if currencies.contains(.token(address)) { return "contract.token" }
        let factories = [item.creation.factory] + contracts.map(\.location.creation.factory)
        return factories.contains(address) ? "contract.factory" : nil
    }
}
