import type { Sale } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";

/** The sale as its contract has it. */
export function SaleFacts({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  return (
    <details className="note">
      <summary>{words.say("page.onTheChain")}</summary>
      <dl className="facts more">
        <div><dt>{words.say("page.saleId")}</dt><dd className="address">{sale.id}</dd></div>
        <div><dt>{words.say("page.contract")}</dt><dd className="address">{sale.contract}</dd></div>
        {sale.item != null && <div><dt>{words.say("page.token")}</dt><dd className="numbers">{sale.item}</dd></div>}
        <div><dt>{words.say("page.confirmations")}</dt><dd>{words.say("page.confirmationsOf", { count: sale.confirmations, needed: sale.confirmationsNeeded })}</dd></div>
        {sale.listedAgain != null && (
          <div><dt>{words.say("page.followedBy")}</dt><dd><Link to={`/sales/${sale.listedAgain.sale}`}>{words.say("page.toSale")}</Link></dd></div>
        )}
      </dl>
    </details>
  );
}
