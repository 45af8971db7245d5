import Client
import Foundation
import Texts

/// Formats previews as text.
enum PreviewText {
    static func text(_ preview: ActionPreview, _ names: Names = .none) -> String {
        CurrencyUnits.on(preview.chain) { lines(of: preview, names).joined(separator: "\n") }
    }

    private static func lines(of preview: ActionPreview, _ names: Names) -> [String] {
        var lines = [DisplayText.setIn(names.text(of: preview.summary))]
        if CurrencyUnits.current.hasOthers, let chain = preview.chain {
            lines.append(line("chain", "\(chain)"))
        }
        if let sale = preview.sale {
            lines += about(sale, names, isBid: preview.action == "bid")
        }
        if let arbiter = preview.arbiter {
            let name = names.here(arbiter.account).map { " (\(DisplayText.line($0)))" } ?? ""
            let fee = MoneyText.paid(arbiter.fee)
            lines.append(line("arbiter", "\(arbiter.account)\(name), for \(fee) a dispute"))
        }
        if let receiver = preview.receiver {
            let name = receiver.name.map { " (\(DisplayText.line($0)))" } ?? ""
            lines.append(line("to", receiver.account + name))
        }
        for part in preview.leaves {
            // All digits of an amount that is sent leave the account.
            let isSent = part.purpose == "amount"
            let money = Money(amount: part.amount, currency: part.currency)
            let amount = isSent ? MoneyText.exact(money) : MoneyText.paid(money)
            lines.append(
                part.purpose == "fee"
                    ? line("fee", "\(amount) at most" + gas(of: preview))
                    : line("pay now", isSent ? amount : "\(amount), \(part.purpose)")
            )
        }
        if preview.leaves.count > 1 {
            lines += preview.total.map { line("in all", "\(MoneyText.paid($0)) at most") }
        }
        lines += preview.balances.map { line("have", MoneyText.gained($0)) }
        lines += preview.comesBack.map {
            let time =
                $0.from.map {
                    "; " + Sentence("back.alone", ["time": $0.formatted(.iso8601)]).detail
                } ?? ""
            let when = names.text(of: [$0.when])
            return line("back", "\(MoneyText.gained($0.amount, $0.currency)) \(when)" + time)
        }
        if let deadline = preview.deadline {
            lines.append(
                line(
                    "until",
                    "\(TimeText.text(deadline.at)). Then: " + names.text(of: deadline.consequence)
                )
            )
        }
        lines += preview.explanation.map { line("", names.text(of: [$0])) }
        lines += preview.warnings.map { line("warning", names.text(of: [$0])) }
        return lines
    }

    private static func gas(of preview: ActionPreview) -> String {
        guard let gas = preview.gas else { return "" }
        let price = preview.gasPrice.map { " at \(MoneyText.gwei($0)) each" } ?? ""
        return ", for \(gas) gas\(price)"
    }

    /// Names the sale and its other parties.
    private static func about(
        _ sale: ActionPreview.PreviewedSale,
        _ names: Names,
        isBid: Bool
    ) -> [String] {
        let title = sale.title.map { "'\(DisplayText.line($0))'" } ?? "a listing that is not here"
        return [line("about", "\(title), sale \(IDText.short(sale.id))")]
            + sale.others.map { other in
                // A bidder is no buyer before the end.
                isBid && other.role == "buyer"
                    ? line("highest", names.text(other.account) + ", so far")
                    : line(other.role, names.text(other.account))
            }
    }

    /// The accounts that a preview names, other than the receiver of money, whose whole address is
    /// shown.
    static func accounts(in preview: ActionPreview) -> [String] {
        var sentences = preview.summary + preview.explanation + preview.warnings
        sentences += preview.comesBack.map(\.when)
        sentences += preview.deadline?.consequence ?? []
        let named = sentences.flatMap(\.values.values).filter {
            $0.wholeMatch(of: /0x[0-9a-fA-F]{40}/) != nil && $0 != preview.receiver?.account
        }
        let parties = (preview.sale?.others ?? []).map(\.account)
        return Set(parties + named + [preview.arbiter?.account].compactMap(\.self)).sorted()
    }

    /// Returns the command that buys on the shown terms only; `nil` if it is no purchase by its sale.
    static func command(_ preview: ActionPreview) -> String? {
        guard preview.action == "buy", let sale = preview.subject, IDText.isWholeSale(sale) else {
            return nil
        }
        return "  to buy on these terms only: stoa sale buy \(sale) --yes"
    }

    /// Returns the question to ask before signing.
    static func question(_ preview: ActionPreview) -> String {
        guard !preview.total.isEmpty else { return "Sign it?" }
        let total = CurrencyUnits.on(preview.chain) {
            preview.total.map { MoneyText.paid($0) }.joined(separator: " and ")
        }
        return "Sign it, and pay \(total) at most?"
    }

    private static func line(_ name: String, _ text: String) -> String {
        "  " + name.padding(to: 8) + DisplayText.setIn(text)
    }
}

extension String {
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(1, count - self.count))
    }
}
