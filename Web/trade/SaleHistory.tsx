import type { Sale, SaleStep } from "../shared/api";
import { address } from "../shared/call";
import { short } from "../shared/addresses";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { NotePicture } from "./NotePicture";
import { didOf } from "./saleMoves";

/** What has happened in a sale, the last first, with the notes that came with it. */
export function SaleHistory({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const latest = sale.history.slice().sort((one, other) => other.at.localeCompare(one.at));
  return (
    <section className="stack">
      <h2>{words.say("page.history")}</h2>
      <ol className="rows">
        {latest.map((step) => <StepEntry key={`${step.transaction} ${step.move}`} sale={sale} step={step} />)}
      </ol>
    </section>
  );
}

function StepEntry({ sale, step }: { readonly sale: Sale; readonly step: SaleStep }) {
  const words = useWords();
  const own = useStore(session)?.account.address ?? "";
  const by = step.by.toLowerCase();
  const who = by === own.toLowerCase() ? words.say("page.you")
    : by === sale.seller.toLowerCase() ? words.alone(words.named("role", sale.course == null ? "seller" : "teacher"))
      : by === sale.buyer?.toLowerCase() ? words.alone(words.named("role", "buyer"))
        : by === sale.escrow?.terms.arbiter?.toLowerCase() ? words.alone(words.named("role", "arbiter")) : short(step.by);
  const isOthersBid = step.move === "bid" && by !== own.toLowerCase();
  const did = didOf(step.move);
  return (
    <li className="stack close step">
      <p className="beside apart">
        <span className="beside step-title">
          <span className="strong">{did === undefined ? words.alone(words.named("action", step.move)) : words.say(did)}</span>
          {isOthersBid ? <Person account={step.by} size="mini" /> : <span className="soft note">{who}</span>}
        </span>
        <span className="soft small">
          {step.link == null ? <Time at={step.at} /> : <a href={step.link} target="_blank" rel="noreferrer"><Time at={step.at} /></a>}
        </span>
      </p>
      {step.note != null && <p className="lines said"><bdi>{step.note}</bdi></p>}
      {(step.pictures?.length ?? 0) > 0 && (
        <ul className="choices">
          {step.pictures?.map((picture, index) => (
            <li key={picture}>
              <NotePicture name={words.say("page.pictureNumber", { number: index + 1 })}
                source={address("/v1/sales/{id}/picture", { id: sale.id }, { picture, as: own })} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
