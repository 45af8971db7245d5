import { Money } from "../shared/parts/Money";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { CartLine } from "./CartLine";

/** What the account wants to buy, as it is now, and the way to pay for all of it. */
export default function CartScreen() {
  const words = useWords();
  const cart = useCall("GET /v1/cart", {}, ["listing", "listing_withdrawn", "sale", "operation"]);
  return (
    <div className="stack measure">
      <Title text={words.say("page.cart")} />
      <Shown of={cart}>
        {({ lines, totals }) => lines.length === 0
          ? (
            <Empty icon="cart" title={words.say("page.cartEmpty")}>
              <p>{words.say("page.cartEmptyWhy")}</p>
              <div className="beside">
                <Link className="button" to="/search">{words.say("page.allListings")}</Link>
                <Link className="button bare" to="/favourites">{words.say("page.favourites")}</Link>
              </div>
            </Empty>
          )
          : (
            <>
              <p className="soft">{words.say("page.cartWhy")}</p>
              <ul className="rows">{lines.map((line) => <CartLine key={line.listing} line={line} onChanged={cart.again} />)}</ul>
              {totals.length > 0 && (
                <div className="cart-sum stack close">
                  <dl className="costs">
                    {totals.map(({ chain, amount, listings }) => (
                      <div key={`${chain} ${amount.currency}`} className="sum-row">
                        <dt>{words.say("page.cartTotal", { count: listings })}</dt>
                        <dd><Money {...amount} chain={chain} rounding="up" /></dd>
                      </div>
                    ))}
                  </dl>
                  <p className="soft note">{words.say("page.cartTotalNote")}</p>
                  <p><Link to="/cart/checkout" className="button main-action full">{words.say("page.checkout")}</Link></p>
                </div>
              )}
            </>
          )}
      </Shown>
    </div>
  );
}
