import Answers
import BigInt
import Client
import Ethereum
import Keys
import Market

extension ActionPreview {
    /// Adds an amount that leaves the account.
    mutating func pay(_ purpose: String, _ amount: Amount, _ currency: Currency) {
        guard !amount.isZero else { return }
        leaves.append(Outgoing(purpose: purpose, amount: amount.decimal, currency: currency.name))
        guard let place = total.firstIndex(where: { $0.currency == currency.name }) else {
            total.append(Money(amount, currency))
            return
        }
        let sum = Amount(decimal: total[place].amount)?.adding(amount) ?? .max
        total[place].amount = sum.decimal
    }

    /// Adds an amount that returns to the account.
    ///
    /// - Parameters:
    ///   - amount: The amount; nothing is added if it is zero.
    ///   - currency: Its currency.
    ///   - when: When it arrives.
    ///   - time: When the amount returns without any other party; `nil` if it returns at once or
    ///     depends on another party.
    mutating func expect(
        _ amount: Amount,
        _ currency: Currency,
        _ when: Sentence,
        from time: ChainTime? = nil
    ) {
        guard !amount.isZero else { return }
        comesBack.append(
            Incoming(amount: amount.decimal, currency: currency.name, when: when, from: time?.date)
        )
    }

    /// Multiplies the amounts, with those that its sentences say: the action is done `count` times.
    ///
    /// Prices stay those of one.
    mutating func repeated(_ count: Int) {
        func times(_ amount: inout String) {
            let product = Amount(decimal: amount)?.multiplied(by: UInt64(count))
            amount = (product ?? .max).decimal
        }
        for index in leaves.indices { times(&leaves[index].amount) }
        for index in comesBack.indices { times(&comesBack[index].amount) }
        for index in total.indices { times(&total[index].amount) }
        summary = summary.map { $0.repeated(count, "deposit") }
        explanation = explanation.map { $0.counting(count) }
        for index in comesBack.indices {
            comesBack[index].when = comesBack[index].when.repeated(count, "fees").counting(count)
        }
    }

    /// Returns the preview with the amounts in its texts written in the units of their currencies.
    func inUnits(of registry: CurrencyRegistry) -> ActionPreview {
        var preview = self
        preview.summary = summary.written(in: registry)
        preview.explanation = explanation.written(in: registry)
        preview.warnings = warnings.written(in: registry)
        for place in comesBack.indices {
            preview.comesBack[place].when = comesBack[place].when.written(in: registry)
        }
        return preview
    }

    /// Shows the fee of some transactions: the maximum that the caller sets, else the present one.
    ///
    /// - Returns: The agreed values.
    /// - Throws: ``Refusal`` with `fee_above_limit` if the maximum is too low now.
    @discardableResult
    mutating func show(
        _ quote: FeeQuote,
        within feeMax: Amount?,
        on chain: ChainID
    ) throws(Refusal) -> AgreedFees {
        let fees = try AgreedFees(quote, feeMax, on: chain, speed: RequestedFees.current.speed)
        self.feeMax = fees.feeMax.decimal
        gas = quote.gasLimit
        let (price, rest) = fees.feeMax.units.quotientAndRemainder(
            dividingBy: BigUInt(max(1, quote.gasLimit))
        )
        gasPrice = "\(rest == 0 ? price : price + 1)"
        pay("fee", fees.feeMax, .native)
        return fees
    }
}

extension Sentence {
    /// Multiplies one of its amounts, if it has that.
    fileprivate func repeated(_ count: Int, _ name: String) -> Sentence {
        let parts = values[name]?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, let amount = Amount(decimal: String(parts[0])) else { return self }
        let product = amount.multiplied(by: UInt64(count)) ?? .max
        return Sentence(code, values.merging([name: "\(product.decimal) \(parts[1])"]) { $1 })
    }

    /// Speaks of a number of pieces, if it speaks of one.
    func counting(_ pieces: Int) -> Sentence {
        guard values["pieces"] != nil else { return self }
        return Sentence(code, values.merging(["pieces": "\(pieces)"]) { $1 })
    }

    /// When an amount returns that is credited at once.
    static let credit = Sentence("back.credit")

    /// States that only one account can buy.
    static func reserved(for account: Address) -> Sentence {
        Sentence("preview.reserved", ["account": account.checksummed])
    }
}

extension MarketChain {
    /// Returns the maximum fees of some steps, at the speed that the request asks for; every error
    /// is a ``Refusal``.
    ///
    /// Steps that pay something must be affordable beside what is ``due``. Others, such as a move
    /// before its deadline, are not refused because a payment waits for its signature.
    func quote(_ question: FeeQuestion) async throws -> FeeQuote {
        var question = question
        question.speed = RequestedFees.current.speed
        let (asked, account, agreed) = (question, question.account, question.agreed)
        let quote = try await asking { try await client.quote(asked) }
        let value = asked.value
        guard !value.isZero, case let due = await due(account, .native), !due.isZero
        else { return quote }
        let needed = value.adding(min(quote.total, agreed ?? quote.total)) ?? .max
        let available = try await balance(of: account, in: .native).subtracting(due) ?? .zero
        guard needed <= available else {
            throw insufficient(needed, available: available, besides: due)
        }
        return quote
    }
}
