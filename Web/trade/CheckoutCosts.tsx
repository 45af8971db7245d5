import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";
import { missingOf, sumsOf, type CheckoutLine } from "./checkout";

interface Props {
  /** Those that are bought. */
  readonly lines: readonly CheckoutLine[];
  readonly isReading: boolean;
}

const purposes = ["price", "deposit", "fee"] as const;

/** What all lines of a checkout cost together: prices, deposits, fees, their sum, and what is missing. */
export function CheckoutCosts({ lines, isReading }: Props) {
  const words = useWords();
  const missing = missingOf(lines);
  const parts = purposes.flatMap((purpose) => {
    const only = lines.map((line) => (line.preview === null ? line : {
      ...line, preview: { ...line.preview, total: line.preview.leaves.filter((one) => one.purpose === purpose) },
    }));
    return sumsOf(only).map((sum) => ({ purpose, sum }));
  });
  return (
    <div className="deal-costs stack" aria-busy={isReading}>
      <h2>{words.say("page.whatItCosts")}</h2>
      {lines.length === 0 && <p className="soft">{words.say(isReading ? "page.loading" : "page.nothingToBuy")}</p>}
      <dl className="costs">
        {parts.map(({ purpose, sum }) => (
          <div key={`${purpose} ${sum.chain} ${sum.currency}`} className="cost-row">
            <dt>{words.alone(words.named("purpose", purpose))}</dt>
            <dd><Money amount={sum.amount} currency={sum.currency} chain={sum.chain} rounding="up" /></dd>
          </div>
        ))}
        {sumsOf(lines).map((sum) => (
          <div key={`${sum.chain} ${sum.currency}`} className="sum-row">
            <dt>{words.say("page.checkoutSum", { count: lines.length })}</dt>
            <dd><Money amount={sum.amount} currency={sum.currency} chain={sum.chain} rounding="up" /></dd>
          </div>
        ))}
      </dl>
      {lines.some(({ preview }) => preview?.leaves.every((one) => one.purpose !== "fee") === true) && (
        <p className="soft note">{words.say("page.feesLater")}</p>
      )}
      {missing.length > 0 && (
        <Notice kind="fault">
          {missing.map((one) => (
            <p key={`${one.chain} ${one.currency}`}>{words.say("page.missingMoney", {
              missing: words.money(one.amount, one.currency, one.chain, "up"), balance: words.money(one.balance, one.currency, one.chain, "down"),
            })}</p>
          ))}
          <p><Link to="/wallet">{words.say("page.toWallet")}</Link></p>
        </Notice>
      )}
    </div>
  );
}
