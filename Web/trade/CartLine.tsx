import { useState } from "react";
import type { SavedListing } from "../shared/api";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { Link } from "../shared/parts/Link";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { SavedRow } from "../market/SavedRow";

interface Props {
  readonly line: SavedListing;
  readonly onChanged: () => void;
}

/** A line of the cart: what it is now, what has changed since it was put there, and why it cannot be bought. */
export function CartLine({ line, onChanged }: Props) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const { listing, price, chain, sale } = line;
  const isChanged = line.isListedAgain === true;
  // The sale that it named then still has the price of then.
  const former = useCall("GET /v1/sales/{id}", isChanged && sale != null ? { path: { id: sale } } : null).answer;
  const isOtherPrice = former !== null && price != null && (former.price.amount !== price.amount || former.price.currency !== price.currency);

  async function change(quantity: 0 | 1): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      if (quantity === 0) await call("DELETE /v1/cart/{id}", { path: { id: listing } });
      else await call("PUT /v1/cart/{id}", { path: { id: listing }, body: { quantity } });
      onChanged();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    } finally {
      setBusy(false);
    }
  }

  return (
    <SavedRow saved={line} end={
      <Button isSmall look="bare" isBusy={isBusy} onClick={() => void change(0)}>
        {words.say("page.remove")}<span className="unseen"> {line.title ?? ""}</span>
      </Button>
    }>
      {line.state !== "open" && (
        <span className="soft note">
          {words.say("page.cannotBeBought")}{" "}
          {line.title != null && <Link className="over-row" to={`/search?${new URLSearchParams({ search: line.title })}`}>{words.say("page.findSimilar")}</Link>}
        </span>
      )}
      {isChanged && line.state === "open" && (
        <span className="note change-box">
          {isOtherPrice
            ? words.say("page.cartPriceWas", { price: words.money(former.price.amount, former.price.currency, chain ?? undefined, "up") })
            : words.say("page.cartTermsChanged")}
          <Button isSmall isBusy={isBusy} onClick={() => void change(1)}>
            {words.say("page.takeChange")}<span className="unseen"> {line.title ?? ""}</span>
          </Button>
        </span>
      )}
      {error !== null && <Fault error={error} />}
    </SavedRow>
  );
}
