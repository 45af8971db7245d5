import type { ListingRow } from "../shared/api";
import { short } from "../shared/addresses";
import { Card } from "../shared/parts/Card";
import { Money } from "../shared/parts/Money";
import { Stars } from "../shared/parts/Stars";
import { kilometres } from "../shared/places";
import { useWords } from "../shared/words";
import { sellerOf, statusOf } from "./listingRow";

interface Props {
  readonly row: ListingRow;
  /** Whether it names its seller, whose own screen does not repeat it. */
  readonly hasSeller?: boolean;
}

/** A listing among others. */
export function ListingCard({ row, hasSeller = true }: Props) {
  const words = useWords();
  const way = row.payment === "auction" ? words.alone(words.named("payment", row.payment)) : undefined;
  const flag = row.state === "open" ? way : words.alone(words.said(statusOf(row)));
  return (
    <Card to={`/listings/${row.id}`} title={row.title} picture={row.picture?.id} flag={flag}>
      <p className="card-price"><Money amount={row.price.amount} currency={row.price.currency} chain={row.chain} /></p>
      {row.distance != null && (
        <p className="card-person">{words.say("page.awayKm", { distance: kilometres(row.distance, words.language) })}</p>
      )}
      {hasSeller && (
        <p className="card-person">
          <bdi className="one-line">{row.seller?.name ?? short(sellerOf(row))}</bdi>
          {row.seller && <Stars rating={row.seller.rating} reviewers={row.seller.reviewers} />}
        </p>
      )}
    </Card>
  );
}
