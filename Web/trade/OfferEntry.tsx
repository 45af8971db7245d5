import type { Money as MoneyAmount, PriceOffer } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { forPeople } from "../shared/sentences";

/** What a person has chosen to do with an offer. */
export type OfferAct = "accept" | "withdraw" | "reopen";

interface Props {
  readonly offer: PriceOffer;
  /** Whether the account made it. */
  readonly isOwn: boolean;
  readonly onChoose: (act: OfferAct) => void;
}

/** An offer: for what, at which price instead of which, how far it is, and what comes next. */
export function OfferEntry({ offer, isOwn, onChoose }: Props) {
  const words = useWords();
  const { state } = offer;
  const isNews = isOwn ? state === "accepted" : state === "open" || state === "lapsed";
  // The node lists it again by itself.
  const isReopened = (offer.ifUnpaid ?? []).some((one) => one.code === "reopening.due");
  const ends = state !== "open" ? "page.payUntil" : isOwn ? "page.acceptUntil" : "page.youAcceptUntil";
  const whole = ({ amount, currency }: MoneyAmount): string => words.money(amount, currency, offer.chain, "whole");
  const end = state === "open" ? offer.until : state === "accepted" ? offer.payUntil : null;
  return (
    <li className="offer stack close">
      <div className="beside apart">
        <Link to={`/listings/${offer.listing}`} className="strong"><bdi>{offer.title}</bdi></Link>
        <span className={isNews ? "state warn" : "state"}>{words.alone(words.named("offerState", state))}</span>
      </div>
      <p>
        <span className="strong"><Money {...offer.price} chain={offer.chain} rounding="whole" /></span>{" "}
        {(state === "open" || state === "expired") && (
          <span className="soft note">{words.say("page.insteadOf", { amount: whole(offer.listedPrice) })}</span>
        )}
      </p>
      {!isOwn && <Person account={offer.buyer} size="mini" />}
      <p className="soft note">
        {end != null
          ? <>{words.say(ends)} <Time at={end} /> (<Time at={end} as="distance" />)</>
          : <>{words.say("page.sentOn")} <Time at={offer.sentAt} as="day" /></>}
        {state === "open" && ` · ${words.say("page.thenToPay", { duration: words.duration(offer.paymentSeconds) })}`}
      </p>
      {(offer.ifUnpaid?.length ?? 0) > 0 && <p className="soft note">{words.said(offer.ifUnpaid ?? [])}</p>}
      {isOwn && (offer.reason?.length ?? 0) > 0 && (
        // The same sentence can come twice with other values.
        // eslint-disable-next-line react/no-array-index-key
        <Notice kind="warn">{forPeople(offer.reason ?? []).map((one, index) => <p key={index}>{words.said(one)}</p>)}</Notice>
      )}
      <div className="beside">
        {!isOwn && state === "open" && <Button isSmall onClick={() => onChoose("accept")}>{words.say("page.acceptOffer")}</Button>}
        {!isOwn && state === "lapsed" && !isReopened && <Button isSmall onClick={() => onChoose("reopen")}>{words.say("page.listAgain")}</Button>}
        {isOwn && state === "accepted" && (
          <Link to={`/listings/${offer.listing}/buy`} className="button small main-action">
            {words.say("page.payAmount", { amount: whole(offer.price) })}
          </Link>
        )}
        {isOwn && state === "over" && (offer.reason?.length ?? 0) > 0 && (
          <Link to={`/listings/${offer.listing}/buy`} className="button small">{words.say("page.seePreview")}</Link>
        )}
        {isOwn && state === "open" && (
          <>
            <Link to={`/listings/${offer.listing}/offer`} className="button small">{words.say("page.changeOffer")}</Link>
            <Button isSmall look="bare" onClick={() => onChoose("withdraw")}>{words.say("page.withdrawOffer")}</Button>
          </>
        )}
      </div>
    </li>
  );
}
