import type { Listing } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";

/** The price as somebody pays it now. */
export function PriceLine({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const { content } = listing;
  const chain = listing.anchor?.chain ?? content.chain ?? undefined;
  const price = listing.price ?? content.price;
  return (
    <div>
      <p className="price"><Money amount={price.amount} currency={price.currency} chain={chain} rounding="up" /></p>
      {content.payment === "enrolment" && <p className="soft note">{words.say("page.seatPrice")}</p>}
    </div>
  );
}
