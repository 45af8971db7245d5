import { useState } from "react";
import type { Sale, Work } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { titleOf } from "./SaleHead";
import { WorkDownload } from "./WorkDownload";
import { useKeyMessage } from "./useKeyMessage";
import { isOfWork, placeOf, sizeOf, workOf } from "./works";

/** The files that the account has bought, each to be fetched as often as it is wanted. */
export default function WorksScreen() {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const [asked, setAsked] = useState(0);
  const query = { list: "purchases" as const, limit: 50, ...(after !== undefined && { after }) };
  const found = useLastAnswer(useCall("GET /v1/sales", { query }, ["sale", "operation"]));
  const works = useCall("GET /v1/works", {}, ["sale", "message", "operation"]);
  return (
    <div className="stack measure">
      <Title text={words.say("page.boughtFiles")} />
      <Shown of={found}>
        {(page) => {
          const bought = page.items.filter((sale) => sale.own === "buyer" && isOfWork(sale));
          return (
            <Shown of={works}>
              {(all) => (
                <>
                  {bought.length === 0
                    ? (
                      <Empty icon="file" title={words.say("page.noBoughtFiles")}>
                        <Link className="button" to="/categories/digital">{words.named("category", "digital")}</Link>
                      </Empty>
                    )
                    : <ul className="rows">{bought.map((sale) => <WorkRow key={sale.id} sale={sale} works={all} asked={asked} />)}</ul>}
                  {bought.length > 1 && <p><Button onClick={() => setAsked(asked + 1)}><Icon name="download" />{words.say("page.getAllFiles")}</Button></p>}
                  <nav className="beside" aria-label={words.say("page.pages")}>
                    {after !== undefined && <Button isSmall onClick={() => setAfter(undefined)}>{words.say("page.newerOnes")}</Button>}
                    {page.next != null && <Button isSmall onClick={() => setAfter(page.next ?? undefined)}>{words.say("page.olderOnes")}</Button>}
                  </nav>
                </>
              )}
            </Shown>
          );
        }}
      </Shown>
    </div>
  );
}

const states = {
  kept: "page.workStateKept", keyless: "page.workStateKeyless", away: "page.workStateAway", here: "page.workStateHere",
} as const;

interface RowProps {
  readonly sale: Sale;
  readonly works: readonly Work[];
  readonly asked: number;
}

/** A bought file in the list. */
function WorkRow({ sale, works, asked }: RowProps) {
  const words = useWords();
  const work = workOf(sale, works);
  const key = useKeyMessage(sale);
  const place = placeOf(sale, works, key);
  const name = work?.name ?? key?.text;
  const title = titleOf(sale, words);
  return (
    <Row to={`/sales/${sale.id}`} title={<bdi>{title}</bdi>} picture={sale.picture?.id ?? null}>
      {name !== undefined && (
        <span className="note"><bdi>{name}</bdi>{work !== undefined && <span className="soft"> {sizeOf(work.length, words.language)}</span>}</span>
      )}
      <span className="note"><span className={`state${place === "here" ? " good" : ""}`}>{words.say(states[place])}</span></span>
      {sale.since != null && <span className="soft small"><Time at={sale.since} as="day" /></span>}
      <div className="beside over-row">
        {place !== "kept" && <WorkDownload sale={sale} name={name ?? title} asked={asked} />}
        {sale.stage === "over" && (
          <Link to={`/sell?${new URLSearchParams({ sale: sale.id })}`} className="note">{words.say("page.sellAgain")}<span className="unseen"> {title}</span></Link>
        )}
      </div>
    </Row>
  );
}
