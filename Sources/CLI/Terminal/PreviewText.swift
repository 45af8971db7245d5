import Client
import Foundation
import Texts

/// Formats previews as text.
enum PreviewText {
    static func text(_ preview: ActionPreview, _ names: Names = .none) -> String {
        CurrencyUnits.on(preview.chain) { lines(of: preview, names).joined(separator: "\n") }
    }

    private static func lines(of preview: ActionPreview, _ names: Names) -> [String] {
        var lines = [DisplayText.setIn(preview.summary.detail)]
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
            return line("back", "\(MoneyText.gained($0.amount, $0.currency)) \($0.when)" + time)
        }
        if let deadline = preview.deadline {
            lines.append(
                line("until", "\(TimeText.text(deadline.at)). Then: \(deadline.consequence.detail)")
            )
        }
        lines += preview.explanation.map { line("", $0.detail) }
        lines += preview.warnings.map { line("warning", $0.detail) }
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
