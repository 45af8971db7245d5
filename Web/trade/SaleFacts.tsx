import type { Sale } from "../shared/api";
import { Facts } from "../shared/parts/Facts";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";

/** The sale as its contract has it. */
export function SaleFacts({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  return (
    <details className="note sale-facts">
      <summary>{words.say("page.onTheChain")}</summary>
      <div className="more">
        <Facts of={[
          [words.say("page.saleId"), <span key="i" className="address">{sale.id}</span>],
          [words.say("page.contract"), <span key="c" className="address">{sale.contract}</span>],
          [words.say("page.token"), sale.item ?? null],
          [words.say("page.confirmations"), words.say("page.confirmationsOf", { count: sale.confirmations, needed: sale.confirmationsNeeded })],
          [words.say("page.followedBy"), sale.listedAgain == null ? null : (
            <Link key="n" to={`/sales/${sale.listedAgain.sale}`}>{words.say("page.toSale")}</Link>
          )],
        ]} />
      </div>
    </details>
  );
}
