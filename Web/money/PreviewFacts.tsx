import type { ReactNode } from "react";
import type { ActionPreview } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { ChainLine } from "../shared/parts/ChainLine";
import { leftOf } from "./sums";

/** Shows what is signed: what leaves, the highest fee, what comes back and when, and warnings. */
export function PreviewFacts({ preview }: { readonly preview: ActionPreview }) {
  const words = useWords();
  const chain = preview.chain ?? undefined;
  const { comesBack, total, feeMax, problems, warnings } = preview;
  // The fee has a line of its own.
  const leaves = preview.leaves.filter((one) => one.purpose !== "fee");
  return (
    <div className="stack">
      {preview.summary.map((one) => <p key={one.detail}>{words.said(one)}</p>)}
      <ChainLine chain={chain} />
      {preview.explanation.map((one) => <p key={one.detail} className="soft note">{words.said(one)}</p>)}
      {(leaves.length > 0 || feeMax != null) && (
        <dl className="costs">
          {leaves.map(({ purpose, amount, currency }, index) => (
            // The same amount can leave twice.
            // eslint-disable-next-line react/no-array-index-key
            <Cost key={index} name={words.alone(words.named("purpose", purpose))}><Money amount={amount} currency={currency} chain={chain} rounding="whole" /></Cost>
          ))}
          {feeMax != null && <Cost name={words.say("page.feeAtMost")}><Money amount={feeMax} currency="native" chain={chain} rounding="up" /></Cost>}
          {leaves.length > 0 && total.map(({ amount, currency }) => (
            <Cost key={currency} isSum name={words.say("page.totalAtMost")}><Money amount={amount} currency={currency} chain={chain} rounding="up" /></Cost>
          ))}
          {leaves.length > 0 && leftOf(preview).map(({ amount, currency }) => (
            <Cost key={currency} name={words.say("page.leftAtLeast")}><Money amount={amount} currency={currency} chain={chain} rounding="down" /></Cost>
          ))}
        </dl>
      )}
      {comesBack.length > 0 && (
        <div className="stack close">
          <h3>{words.say("page.comesToYou")}</h3>
          <dl className="costs">
            {comesBack.map(({ amount, currency, when, from }, index) => (
              // eslint-disable-next-line react/no-array-index-key
              <Cost key={index} name={<>{words.alone(words.said(when))}{from != null && <span className="soft"> <Time at={from} /></span>}</>}>
                <Money amount={amount} currency={currency} chain={chain} rounding="down" />
              </Cost>
            ))}
          </dl>
        </div>
      )}
      {warnings.length > 0 && <Notice kind="warn">{warnings.map((one) => <p key={one.detail}>{words.said(one)}</p>)}</Notice>}
      {problems.length > 0 && <Notice kind="fault" isNews>{problems.map((one) => <p key={one.detail}>{words.problem(one)}</p>)}</Notice>}
    </div>
  );
}

interface CostProps {
  readonly name: ReactNode;
  readonly children: ReactNode;
  readonly isSum?: boolean;
}

function Cost({ name, children, isSum = false }: CostProps) {
  return <div className={isSum ? "sum-row" : "cost-row"}><dt>{name}</dt><dd>{children}</dd></div>;
}
