import type { ReactNode } from "react";
import type { SavedListing } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { useWords } from "../shared/words";

interface Props {
  readonly saved: SavedListing;
  /** Below the price, such as a way to remove it. */
  readonly end: ReactNode;
  /** What has changed, and since when it is there. */
  readonly children?: ReactNode;
}

/** A listing that the account has kept, in its favourites or its cart, as it is now. */
export function SavedRow({ saved, end, children }: Props) {
  const words = useWords();
  const { listing, title, picture, price, chain, state, status, seller, profile } = saved;
  const isGone = status == null && price == null;
  return (
    <Row to={isGone ? undefined : `/listings/${listing}`} title={title == null ? words.say("page.listingNotHere") : <bdi>{title}</bdi>}
      picture={picture?.id ?? null}
      end={
        <>
          {price != null && <span className="strong"><Money amount={price.amount} currency={price.currency} chain={chain ?? undefined} rounding="up" /></span>}
          {end}
        </>
      }>
      <Person account={seller} name={profile?.name} avatar={profile?.avatar} size="mini" />
      <span className="note">
        <span className={`state${state === "open" ? " good" : isGone ? " warn" : ""}`}>
          {status == null ? words.say("page.isGone") : words.alone(words.said(status))}
        </span>
      </span>
      {children}
    </Row>
  );
}
