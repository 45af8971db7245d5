import type { SaleRound } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { roundName, timesOf } from "./courseTimes";

interface Props {
  readonly round: SaleRound;
  readonly chain: number;
}

/** A round of a course: when it is, how many seats are left at which price, and the account's own part. */
export function RoundEntry({ round, chain }: Props) {
  const words = useWords();
  const { price, terms, enrolled, own, phase, raters, status } = round;
  const { start, end } = timesOf(terms);
  return (
    <li className="round">
      <div className="beside apart">
        <h3>{words.alone(words.said(roundName(round)))}</h3>
        <span className="beside">
          {own != null && <span className="state good">{words.alone(words.named("seat", own))}</span>}
          <span className="state">{words.alone(words.said(status))}</span>
        </span>
      </div>
      <p><Time at={start} /> – <Time at={end} /></p>
      <p className="soft note">
        {phase === "open" ? words.say("page.seatsLeft", { free: Math.max(0, terms.seats - enrolled), total: terms.seats })
          : words.say("page.studentsCount", { count: enrolled })}
        {" · "}<Money amount={price.amount} currency={price.currency} chain={chain} rounding="up" /> {words.say("page.seatPrice")}
        {phase !== "open" && raters > 0 && ` · ${words.say("page.ratersOf", { count: raters })}`}
      </p>
    </li>
  );
}
