import type { DeliveryAddress, Listing } from "../shared/api";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { BidForm } from "./BidForm";

interface Props {
  readonly listing: Listing;
  readonly address: DeliveryAddress;
  readonly again: () => void;
}

/** The form for a bid, once its sale is here; another sale has a form and a key of its own. */
export function BidHere({ listing, address, again }: Props) {
  const words = useWords();
  const sale = listing.anchor?.sale;
  const found = useCall("GET /v1/sales/{id}", sale === undefined ? null : { path: { id: sale } }, ["sale", "operation"]);
  if (sale === undefined) {
    return (
      <Empty icon="tag" title={words.say("page.notForSale")}>
        <Link to={`/listings/${listing.id}`} className="button">{words.say("page.toListing")}</Link>
      </Empty>
    );
  }
  return <Shown of={found}>{(shown) => <BidForm key={shown.id} listing={listing} sale={shown} address={address} again={again} />}</Shown>;
}
