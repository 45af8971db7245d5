import type { Listing } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";

/** What is bought, as a row. */
export function BuyHead({ listing }: { readonly listing: Listing }) {
  const { content } = listing;
  const price = listing.price ?? content.price;
  const picture = (content.media ?? []).find((one) => one.type == null || one.type.startsWith("image/"));
  const chain = listing.anchor?.chain ?? content.chain ?? undefined;
  return (
    <ul>
      <Row to={`/listings/${listing.id}`} title={<bdi>{content.title}</bdi>} picture={picture?.id ?? null}
        end={<span className="strong"><Money amount={price.amount} currency={price.currency} chain={chain} rounding="up" /></span>}>
        <Person account={listing.author} name={listing.seller?.name} avatar={listing.seller?.avatar} size="mini" />
      </Row>
    </ul>
  );
}
