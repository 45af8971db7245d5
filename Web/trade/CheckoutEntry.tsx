import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Picture } from "../shared/parts/Picture";
import { useWords } from "../shared/words";
import { hindrances, type CheckoutLine } from "./checkout";
import { problemsForPeople } from "../shared/sentences";

interface Props {
  readonly line: CheckoutLine;
  readonly isLeft: boolean;
  readonly isReading: boolean;
  readonly onLeave: (isLeft: boolean) => void;
}

/** A line of a checkout: what it costs with its deposit, or why it cannot be bought; and whether it is bought now. */
export function CheckoutEntry({ line, isLeft, isReading, onLeave }: Props) {
  const words = useWords();
  const { saved, preview, error } = line;
  const title = saved.title ?? words.say("page.listingNotHere");
  const faults = problemsForPeople(hindrances(line));
  const isOpen = faults.length === 0 && error === null;
  const others = (preview?.leaves ?? []).filter((one) => one.purpose !== "fee");
  return (
    <li>
      <div className="row">
        <Picture id={saved.picture?.id ?? null} name="" size={160} form="tiny" />
        <div className="row-main">
          <label className="check row-title">
            <input type="checkbox" checked={!isLeft && isOpen} disabled={!isOpen} onChange={(event) => onLeave(!event.target.checked)} />
            <bdi>{title}</bdi>
          </label>
          <Person account={saved.seller} name={saved.profile?.name} avatar={saved.profile?.avatar} size="mini" />
          {isOpen && preview !== null && (
            <span className="soft note">
              {others.map((one) => `${words.alone(words.named("purpose", one.purpose))} ${words.money(one.amount, one.currency, preview.chain ?? undefined, "up")}`).join(" · ")}
            </span>
          )}
          {saved.isListedAgain === true && isOpen && <span className="note warn-text">{words.said({ code: "preview.cartListedAgain", values: {}, detail: "" })}</span>}
          {faults.map((one) => <span key={one.detail} className="note fault-text">{words.problem(one)}</span>)}
          {error?.isAway === true && <span className="note fault-text">{words.failure(error)}</span>}
          {!isOpen && <span className="note"><Link className="over-row" to={`/listings/${saved.listing}`}>{words.say("page.toListing")}</Link></span>}
        </div>
        <div className="row-end" aria-busy={isReading}>
          {isOpen && preview?.total.map((one) => (
            <span key={one.currency} className="strong"><Money {...one} chain={preview.chain ?? undefined} rounding="up" /></span>
          ))}
        </div>
      </div>
    </li>
  );
}
