import type { Sale } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { titleOf } from "../trade/SaleHead";
import { useWords } from "../shared/words";
import { roundName, timesOf } from "./courseTimes";
import { RatingLine } from "./RatingLine";

/** A course that the account takes or gives: the round that concerns it, and whose turn it is. */
export function OwnCourseRow({ sale }: { readonly sale: Sale }) {
  const words = useWords();
  const isTeacher = sale.own === "teacher";
  const rounds = sale.course?.rounds ?? [];
  const round = isTeacher ? rounds.at(-1) : rounds.filter((one) => one.own != null).at(-1);
  return (
    <Row to={`/sales/${sale.id}`} title={<bdi>{titleOf(sale, words)}</bdi>} picture={sale.picture?.id ?? null} end={
      <>
        {round !== undefined && <span className="strong"><Money {...round.price} chain={sale.chain} /></span>}
        {round !== undefined && <span className="soft small"><Time at={timesOf(round.terms).start} as="day" /></span>}
      </>
    }>
      <span className="note course-line">
        <span className={sale.isOwnTurn ? "state warn" : "state"}>{sale.isOwnTurn ? words.say("page.yourTurn") : words.alone(words.said(round?.status ?? sale.status))}</span>
        {!isTeacher && round?.own != null && <span className="state good">{words.alone(words.named("seat", round.own))}</span>}
        {round !== undefined && <span className="soft">{words.alone(words.said(roundName(round)))}</span>}
      </span>
      <span className="note course-line">
        <RatingLine average={sale.course?.average} raters={sale.course?.raters} />
        {isTeacher && round !== undefined && <span className="soft">{words.say("page.studentsCount", { count: round.enrolled })}</span>}
      </span>
      {!isTeacher && sale.other != null && <Person account={sale.other.account} name={sale.other.name} avatar={sale.other.avatar} size="mini" />}
    </Row>
  );
}
