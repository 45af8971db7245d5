import type { Sale } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Picture } from "../shared/parts/Picture";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords, type Words } from "../shared/words";
import { isOfWork } from "./works";

/** What the sale is called: what is sold. */
export function titleOf(sale: Sale, words: Words): string {
  return sale.title ?? sale.promised?.title ?? words.say("page.sale");
}

/** Whether the account has bought the item, so that it can sell it; the part about a file says so itself. */
function canSellAgain(sale: Sale): boolean {
  const { own, phase, item } = sale;
  return item != null && !(own === "buyer" && isOfWork(sale)) && (own === "buyer" || own === "highest_bidder") && (phase === "complete" || phase === "sold");
}

/** What is sold, for how much, and to or by whom. */
export function SaleHead({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const own = useStore(session)?.account.address.toLowerCase();
  const isSeller = own === sale.seller.toLowerCase();
  const other = sale.other ?? (isSeller ? (sale.buyer == null ? null : { account: sale.buyer }) : { account: sale.seller });
  return (
    <section className="stack close">
      <Picture id={sale.picture?.id} name="" form="wide" />
      <p className="price"><Money amount={sale.price.amount} currency={sale.price.currency} chain={sale.chain} /></p>
      <p className="soft note">{words.alone(words.named("payment", sale.kind))} · {words.alone(words.said(sale.status))}</p>
      {sale.own === "arbiter" && sale.buyer != null && (
        <div className="beside note">
          <span className="soft">{words.alone(words.named("role", "buyer"))}</span>
          <Person account={sale.buyer} />
        </div>
      )}
      {other !== null && (
        <div className="beside note">
          <span className="soft">{words.alone(words.named("role", isSeller ? "buyer" : sale.course == null ? "seller" : "teacher"))}</span>
          <Person account={other.account} name={other.name} avatar={other.avatar} />
        </div>
      )}
      {canSellAgain(sale) && (
        <p className="note"><Link to={`/sell?${new URLSearchParams({ sale: sale.id })}`}>{words.say("page.sellAgain")}</Link></p>
      )}
      {sale.listing != null && <p className="note"><Link to={`/listings/${sale.listing}`}>{words.say("page.toListing")}</Link></p>}
    </section>
  );
}
