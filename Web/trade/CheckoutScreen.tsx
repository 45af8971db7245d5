import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { CheckoutForm } from "./CheckoutForm";
import { CheckoutRun } from "./CheckoutRun";

/** Paying for the cart: where it goes and what each line costs; then what has become of each. */
export default function CheckoutScreen({ query }: ScreenProps) {
  const words = useWords();
  const run = query.get("run");
  const cart = useCall("GET /v1/cart", run === null ? {} : null, ["listing", "listing_withdrawn", "sale"]);
  const address = useCall("GET /v1/address", run === null ? {} : null);
  return (
    <div className="stack">
      <Title text={words.say("page.checkoutTitle")} />
      {run !== null && <CheckoutRun key={run} id={run} />}
      {run === null && (
        <Shown of={cart}>
          {({ lines }) => lines.length === 0
            ? (
              <Empty icon="cart" title={words.say("page.cartEmpty")}>
                <Link className="button" to="/search">{words.say("page.allListings")}</Link>
              </Empty>
            )
            : <Shown of={address}>{(known) => <CheckoutForm lines={lines} address={known} />}</Shown>}
        </Shown>
      )}
    </div>
  );
}
