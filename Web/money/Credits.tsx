import { useState } from "react";
import type { Wallet } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";
import { CollectDialog } from "./CollectDialog";
import { sums } from "./sums";
import { useSaleTitles } from "./useSaleTitles";

/** Money that contracts hold for the account until it collects it; nothing if there is none. */
export function Credits({ wallet: { credits, chain } }: { readonly wallet: Wallet }) {
  const words = useWords();
  const titleOf = useSaleTitles();
  const [isOpen, setOpen] = useState(false);
  if (credits.length === 0) return null;
  return (
    <section className="stack">
      <div className="beside apart">
        <div>
          <h2>{words.say("page.toCollect")}</h2>
          <p className="soft note">{words.say("page.toCollectWhy")}</p>
        </div>
        <Button look="main" onClick={() => setOpen(true)}>{words.say("page.collect")}</Button>
      </div>
      <dl className="costs">
        {credits.flatMap((credit) => credit.sales.map((part) => (
          <div key={credit.contract + credit.money.currency + part.sale} className="cost-row">
            <dt><Link to={`/sales/${part.sale}`}><bdi>{titleOf(part.sale)}</bdi></Link></dt>
            <dd><Money amount={part.amount} currency={credit.money.currency} chain={chain} rounding="down" /></dd>
          </div>
        )))}
        {sums(credits.map((credit) => credit.money)).map((sum) => (
          <div key={sum.currency} className="sum-row"><dt>{words.say("page.toCollectTotal")}</dt><dd><Money {...sum} chain={chain} rounding="down" /></dd></div>
        ))}
      </dl>
      {isOpen && <CollectDialog chain={chain} onClose={() => setOpen(false)} />}
    </section>
  );
}
