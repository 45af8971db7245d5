import type { ListingRow } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { sellerOf, statusOf } from "../market/listingRow";
import { useWords } from "../shared/words";
import { RatingLine } from "./RatingLine";

interface Props {
  readonly row: ListingRow;
  /** Whether it names its teacher, whose own list does not repeat it. */
  readonly hasTeacher?: boolean;
}

/** A course in a list: its rating, its students, its free seats, and the account's own part. */
export function CourseRow({ row, hasTeacher = true }: Props) {
  const words = useWords();
  const { own, state, students, price, chain, seller } = row;
  const isOpen = state === "open";
  return (
    <Row to={`/listings/${row.id}`} title={<bdi>{row.title}</bdi>} picture={row.picture?.id ?? null}
      end={
        <>
          <span className="strong"><Money amount={price.amount} currency={price.currency} chain={chain} rounding="up" /></span>
          <span className="soft small">{words.say("page.seatPrice")}</span>
        </>
      }>
      {hasTeacher && <Person account={sellerOf(row)} name={seller?.name} avatar={seller?.avatar} size="mini" />}
      <span className="note course-line">
        <RatingLine average={row.average} />
        {students != null && students > 0 && <span className="soft">{words.say("page.studentsCount", { count: students })}</span>}
        {row.place != null && <bdi className="soft one-line">{row.place}</bdi>}
      </span>
      <span className="note course-line">
        {own === "student" && <span className="state good">{words.say("page.youAreEnrolled")}</span>}
        {own === "teacher" && <span className="state">{words.say("page.yourCourse")}</span>}
        <span className={`state${isOpen && own == null ? " good" : ""}`}>{words.alone(words.said(statusOf(row)))}</span>
        {isOpen && row.endsAt != null && <span className="soft">{words.say("page.startsAt")} <Time at={row.endsAt} as="distance" /></span>}
      </span>
      {row.tags.length > 0 && <bdi className="soft small">{row.tags.join(" · ")}</bdi>}
    </Row>
  );
}
