import { useEffect, useState } from "react";
import type { SavedListing } from "../shared/api";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { Icon } from "../shared/parts/Icon";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { forgetPrice, keepPrice, savedPrice } from "./savedPrices";
import { SavedRow } from "./SavedRow";

interface Props {
  readonly saved: SavedListing;
  readonly onRemoved: () => void;
}

/** A favourite: its state and price now, what the price was, and a way to give it up. */
export function FavouriteRow({ saved, onRemoved }: Props) {
  const words = useWords();
  const { listing, price, chain, since } = saved;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const [before] = useState(() => savedPrice(listing));
  useEffect(() => {
    if (price != null) keepPrice(listing, price);
  }, [listing, price]);
  const isChanged = before !== undefined && price != null && (before.amount !== price.amount || before.currency !== price.currency);

  async function remove(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await call("DELETE /v1/favourites/{id}", { path: { id: listing } });
      forgetPrice(listing);
      onRemoved();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
      setBusy(false);
    }
  }

  return (
    <SavedRow saved={saved} end={
      <Button isSmall look="bare" isBusy={isBusy} onClick={() => void remove()}>
        {words.say("page.remove")}<span className="unseen"> {saved.title ?? ""}</span>
      </Button>
    }>
      {isChanged && (
        <span className="note change">
          <Icon name="tag" />
          {words.say("page.priceWas", { price: words.money(before.amount, before.currency, chain ?? undefined, "up") })}
        </span>
      )}
      <span className="soft small">{words.say("page.since")} <Time at={since} as="day" /></span>
      {error !== null && <Fault error={error} />}
    </SavedRow>
  );
}
