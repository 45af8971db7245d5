import { short } from "../shared/addresses";
import { Card } from "../shared/parts/Card";
import { Money } from "../shared/parts/Money";
import { Stars } from "../shared/parts/Stars";
import { useWords } from "../shared/words";
import type { ListingRow } from "./listingRow";

/** A listing among others; on its seller's own screen without the seller. */
export function ListingCard({ row, hasSeller = true }: { readonly row: ListingRow; readonly hasSeller?: boolean }) {
  const words = useWords();
  const flag = row.state === "open" ? (row.isAuction ? words.alone(words.named("payment", "auction")) : undefined) : words.alone(words.said(row.status));
  return (
    <Card to={`/listings/${row.id}`} title={row.title} picture={row.picture} flag={flag}>
      <p className="card-price"><Money amount={row.amount} currency={row.currency} chain={row.chain} /></p>
      {hasSeller && (
        <p className="card-person">
          <bdi className="one-line">{row.seller?.name ?? short(row.author)}</bdi>
          {row.seller && <Stars rating={row.seller.rating} reviewers={row.seller.reviewers} />}
        </p>
      )}
    </Card>
  );
}
