import type { Sale } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";
import { AuctionPanel, standOf } from "./AuctionPanel";
import { useChainTime } from "./chainTime";
import { bidsEvery } from "./ListingAuction";
import { OwnBid } from "./OwnBid";
import { useRepeated } from "../shared/useRepeated";

interface Props {
  readonly sale: Sale;
  readonly again: () => void;
}

/** The auction on the screen of its sale; nothing for other ways to sell. */
export function SaleAuction({ sale, again }: Props) {
  const words = useWords();
  const isOpen = sale.auction?.isOpen === true;
  const stand = standOf(sale);
  const now = useChainTime(sale, sale.asOf, isOpen);
  useRepeated(isOpen ? bidsEvery : 0, again);
  if (stand === null) return null;
  const canBid = isOpen && sale.listing != null && (sale.own === "outbid" || sale.own === "highest_bidder");
  return (
    <section className="stack" aria-label={words.alone(words.named("payment", "auction"))}>
      <OwnBid sale={sale} />
      <AuctionPanel of={stand} now={now} />
      {canBid && (
        <p>
          <Link to={`/listings/${sale.listing}/buy`} className={`button${sale.own === "outbid" ? " main-action" : ""}`}>
            {words.say("page.bidMore")}
          </Link>
        </p>
      )}
    </section>
  );
}
