import type { ReactNode } from "react";
import type { ActionPreview, Money as MoneyAmount, Sentence } from "../api";
import { forPeople } from "../sentences";
import { useWords } from "../words";
import { ChainLine } from "./ChainLine";
import { Link } from "./Link";
import { Money } from "./Money";
import { Notice } from "./Notice";
import { Time } from "./Time";

/** Sentences of an explanation that are seen at once: money that pays or comes back by itself, and what is reserved until when. */
const seenFirst: readonly string[] = [
  "auction.fromCredit", "preview.repriceDeposit", "preview.reserved", "preview.offerReopens", "preview.offerUnpaid", "preview.reopeningNeeds",
];

const isFirst = ({ code }: Sentence): boolean => seenFirst.includes(code);

interface Props {
  readonly preview: ActionPreview;
  /** Whether the whole explanation is seen at once, instead of on demand, if no sentence of it comes first. */
  readonly isExplained?: boolean;
  /** Whether others are signed with it, so that nobody knows what is left after this one. */
  readonly isOneOfMany?: boolean;
}

/** All that something does: what leaves, what is missing, what comes back and when; then what to consider. */
export function PreviewShown({ preview, isExplained = false, isOneOfMany = false }: Props) {
  const words = useWords();
  const chain = preview.chain ?? undefined;
  const explanation = forPeople(preview.explanation);
  const first = explanation.filter(isFirst);
  const others = explanation.filter((one) => !isFirst(one));
  const warnings = forPeople(preview.warnings);
  const said = (all: readonly Sentence[]): ReactNode => all.map((one) => <p key={`${one.code} ${one.detail}`}>{words.said(one)}</p>);
  return (
    <div className="stack">
      <div className="stack close summary">{said(forPeople(preview.summary))}{said(first)}</div>
      <ChainLine chain={chain} />
      <Costs preview={preview} hasRest={!isOneOfMany} />
      <Missing preview={preview} />
      <ComesBack preview={preview} />
      {warnings.length > 0 && <Notice kind="warn">{said(warnings)}</Notice>}
      {others.length > 0 && (isExplained && first.length === 0
        ? <div className="stack close note">{said(others)}</div>
        : (
          <details className="note">
            <summary>{words.say("page.howItGoesOn")}</summary>
            <div className="stack close soft more">{said(others)}</div>
          </details>
        ))}
    </div>
  );
}

/** Lists what leaves, the highest fee, the total and what is left; of a fee alone, nothing else. */
function Costs({ preview, hasRest }: { readonly preview: ActionPreview; readonly hasRest: boolean }) {
  const words = useWords();
  const { feeMax, total } = preview;
  const chain = preview.chain ?? undefined;
  const leaves = preview.leaves.filter((one) => one.purpose !== "fee");
  const hasFee = feeMax != null && feeMax !== "0";
  if (leaves.length === 0 && !hasFee) return null;
  return (
    <dl className="costs">
      {leaves.map((one, index) => (
        // The same amount can leave twice.
        // eslint-disable-next-line react/no-array-index-key
        <Cost key={index} name={words.alone(words.named("purpose", one.purpose))} of={one} chain={chain} rounding="whole" />
      ))}
      {hasFee && <Cost name={words.say("page.feeAtMost")} of={{ amount: feeMax, currency: "native" }} chain={chain} rounding="up" />}
      {leaves.length > 0 && total.map((one) => (
        <Cost key={one.currency} name={words.say("page.totalAtMost")} of={one} chain={chain} rounding="up" isSum />
      ))}
      {leaves.length > 0 && hasRest && balancesAfter(preview).filter((one) => one.amount >= 0n).map(({ currency, amount }) => (
        <Cost key={currency} name={words.say("page.leftAtLeast")} of={{ amount: String(amount), currency }} chain={chain} rounding="down" />
      ))}
    </dl>
  );
}

/** Says what the account has too little of. */
function Missing({ preview }: { readonly preview: ActionPreview }) {
  const words = useWords();
  const chain = preview.chain ?? undefined;
  const lacks = preview.problems.filter((one) => one.code === "insufficient_balance");
  if (lacks.length === 0) return null;
  const missing = balancesAfter(preview).filter((one) => one.amount < 0n);
  return (
    <Notice kind="fault">
      {missing.length === 0 && lacks.map((one) => <p key={one.detail}>{words.problem(one)}</p>)}
      {missing.map(({ currency, amount, balance }) => (
        <p key={currency}>{words.say("page.missingMoney", {
          missing: words.money(String(-amount), currency, chain, "up"), balance: words.money(balance, currency, chain, "down"),
        })}</p>
      ))}
      <p><Link to="/wallet">{words.say("page.toWallet")}</Link></p>
    </Notice>
  );
}

/** Lists what comes back and when. If nothing but a fee leaves, it does not come back: it comes. */
function ComesBack({ preview: { comesBack, leaves, ...preview } }: { readonly preview: ActionPreview }) {
  const words = useWords();
  if (comesBack.length === 0) return null;
  const isBack = leaves.some((one) => one.purpose !== "fee");
  return (
    <section className="stack close">
      <h3>{words.say(isBack ? "page.comesBack" : "page.comesToYou")}</h3>
      <dl className="costs">
        {comesBack.map((one, index) => (
          // eslint-disable-next-line react/no-array-index-key
          <Cost key={index} of={one} chain={preview.chain ?? undefined} rounding="down"
            name={<>{words.alone(words.said(one.when))}{one.from != null && <span className="soft"> <Time at={one.from} /></span>}</>} />
        ))}
      </dl>
    </section>
  );
}

interface CostProps {
  readonly name: ReactNode;
  readonly of: MoneyAmount;
  readonly chain: number | undefined;
  /** An amount that is signed has all digits. */
  readonly rounding: "whole" | "up" | "down";
  readonly isSum?: boolean;
}

function Cost({ name, of: { amount, currency }, chain, rounding, isSum = false }: CostProps) {
  return (
    <div className={isSum ? "sum-row" : "cost-row"}>
      <dt>{name}</dt><dd><Money amount={amount} currency={currency} chain={chain} rounding={rounding} /></dd>
    </div>
  );
}

/** The balance in each currency that leaves the account, and what it would be then; below zero if something is missing. */
function balancesAfter({ balances, total }: ActionPreview): readonly { currency: string; amount: bigint; balance: string }[] {
  return total.flatMap(({ currency, amount }) => {
    const balance = balances.find((one) => one.currency === currency)?.amount;
    return balance === undefined ? [] : [{ currency, balance, amount: BigInt(balance) - BigInt(amount) }];
  });
}
