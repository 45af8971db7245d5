import type { ActionPreview, Money as MoneyAmount } from "../api";
import { ChainLine } from "./ChainLine";
import { Link } from "./Link";
import { Money } from "./Money";
import { Notice } from "./Notice";
import { Time } from "./Time";
import { useWords } from "../words";
import { forPeople } from "../sentences";

interface Props {
  readonly preview: ActionPreview;
  /** Whether the explanation is seen at once, instead of on demand. */
  readonly isExplained?: boolean;
}

/** All that money does: what leaves, what is missing, what comes back and when; then what to consider. */
export function PreviewShown({ preview, isExplained = false }: Props) {
  const words = useWords();
  const chain = preview.chain ?? undefined;
  const hasFee = preview.leaves.some((one) => one.purpose === "fee");
  const explanation = forPeople(preview.explanation);
  const warnings = forPeople(preview.warnings);
  const missing = missingOf(preview);
  const lacks = preview.problems.filter((one) => one.code === "insufficient_balance");
  return (
    <div className="stack">
      <ChainLine chain={chain} />
      {preview.total.length > 0 && (
        <dl className="costs">
          {preview.leaves.map((one, index) => (
            // The same amount can leave twice.
            // eslint-disable-next-line react/no-array-index-key
            <Line key={index} name={words.alone(words.named("purpose", one.purpose))} of={one} chain={chain} isWhole={one.purpose !== "fee"} />
          ))}
          {!hasFee && preview.feeMax != null && preview.feeMax !== "0" && (
            <Line name={words.say("page.feeAtMost")} of={{ amount: preview.feeMax, currency: "native" }} chain={chain} />
          )}
          {preview.total.map((one) => <Line key={one.currency} name={words.say("page.totalAtMost")} of={one} chain={chain} isSum />)}
        </dl>
      )}
      {lacks.length > 0 && (
        <Notice kind="fault">
          {missing.length === 0 && lacks.map((one) => <p key={one.detail}>{words.problem(one)}</p>)}
          {missing.map((one) => (
            <p key={one.currency}>{words.say("page.missingMoney", {
              missing: words.money(one.amount, one.currency, chain, "up"), balance: words.money(one.balance, one.currency, chain, "down"),
            })}</p>
          ))}
          <p><Link to="/wallet">{words.say("page.toWallet")}</Link></p>
        </Notice>
      )}
      {preview.comesBack.length > 0 && (
        <section className="stack close">
          <h3>{words.say("page.comesBack")}</h3>
          <ul className="stack close">
            {preview.comesBack.map((one, index) => (
              // eslint-disable-next-line react/no-array-index-key
              <li key={index} className="note">
                <span className="strong"><Money amount={one.amount} currency={one.currency} chain={chain} rounding="down" /></span>{" "}
                <span className="soft">{words.said(one.when)}{one.from != null && <> (<Time at={one.from} />)</>}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && <Notice kind="warn">{warnings.map((one) => <p key={one.code}>{words.said(one)}</p>)}</Notice>}
      {explanation.length > 0 && (isExplained
        ? <div className="stack close note">{explanation.map((one) => <p key={one.code}>{words.said(one)}</p>)}</div>
        : (
          <details className="note">
            <summary>{words.say("page.howItGoesOn")}</summary>
            <div className="stack close soft more">{explanation.map((one) => <p key={one.code}>{words.said(one)}</p>)}</div>
          </details>
        ))}
    </div>
  );
}

interface LineProps {
  readonly name: string;
  readonly of: MoneyAmount;
  readonly chain: number | undefined;
  readonly isSum?: boolean;
  /** Whether it is signed, so that it has all digits. */
  readonly isWhole?: boolean;
}

function Line({ name, of, chain, isSum = false, isWhole = false }: LineProps) {
  const look = isSum ? "sum" : undefined;
  const amount = <Money amount={of.amount} currency={of.currency} chain={chain} rounding={isWhole ? "whole" : "up"} />;
  return <><dt className={look}>{name}</dt><dd className={look}>{amount}</dd></>;
}

/** What the account has too little of. */
function missingOf(preview: ActionPreview): readonly { amount: string; currency: string; balance: string }[] {
  return preview.total.flatMap(({ amount, currency }) => {
    const balance = preview.balances.find((one) => one.currency === currency)?.amount;
    if (balance === undefined || BigInt(balance) >= BigInt(amount)) return [];
    return [{ amount: (BigInt(amount) - BigInt(balance)).toString(), currency, balance }];
  });
}
