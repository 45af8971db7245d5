import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ReviewForm } from "./ReviewForm";
import { titleOf } from "./SaleHead";

/** Reviewing a sale that is over. */
export default function ReviewScreen({ values, query }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const found = useCall("GET /v1/sales/{id}", { path: { id } }, ["sale"]);
  const asked = query.get("round");
  const round = asked !== null && /^\d{1,9}$/.test(asked) ? Number(asked) : undefined;
  return (
    <div className="stack">
      <Title text={words.say("page.writeReview")} />
      <Shown of={found}>
        {(sale) => (
          <>
            <ul className="measure">
              <Row to={`/sales/${id}`} title={<bdi>{titleOf(sale, words)}</bdi>} picture={sale.picture?.id ?? null}>
                {sale.other != null && <Person account={sale.other.account} name={sale.other.name} avatar={sale.other.avatar} size="mini" />}
              </Row>
            </ul>
            {sale.nextSteps.some((step) => step.words.code === "next.review")
              ? <ReviewForm sale={sale} round={round} />
              : (
                <Empty icon="star" title={words.say("page.nothingToReview")}>
                  <p>{words.say("page.nothingToReviewWhy")}</p>
                  <Link to={`/sales/${id}`} className="button">{words.say("page.toSale")}</Link>
                </Empty>
              )}
          </>
        )}
      </Shown>
    </div>
  );
}
