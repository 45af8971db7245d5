import type { CourseTerms } from "../shared/api";
import { useNow } from "../shared/clock";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";
import { timesOf } from "./courseTimes";

interface Props {
  readonly terms: CourseTerms;
  /** The price of a seat in words. */
  readonly price: string;
}

/** When a student's money comes back, and from when it does not. */
export function ComesBack({ terms, price }: Props) {
  const words = useWords();
  const { leaveUntil, beginUntil, rateUntil, start } = timesOf(terms);
  const now = useNow();
  const canLeave = new Date(leaveUntil).getTime() > now;
  return (
    <section className="stack close">
      <h2>{words.say("page.comesBack")}</h2>
      <ul className="when note">
        <li>
          <span className="strong">{words.say("page.untilTime")} <Time at={canLeave ? leaveUntil : start} /></span>
          <span>{canLeave ? words.say("page.courseLeave", { price }) : words.say("page.courseNoLeave")}</span>
        </li>
        <li>
          <span className="strong">{words.say("page.untilTime")} <Time at={beginUntil} /></span>
          <span>{words.say("page.courseBegin", { price })}</span>
        </li>
        <li>
          <span className="strong">{words.say("page.untilTime")} <Time at={rateUntil} /></span>
          <span>{words.say("page.courseRate")}</span>
        </li>
      </ul>
    </section>
  );
}
