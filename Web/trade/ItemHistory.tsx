import type { Sale } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

interface Props {
  /** The token's number. */
  readonly token: string;
  readonly chain: number;
  /** The sale that the screen shows. */
  readonly current: string | undefined;
}

/** The history of an item: new or sold again, who made it, and its earlier sales. */
export function ItemHistory({ token, chain, current }: Props) {
  const words = useWords();
  const found = useCall("GET /v1/items", { query: { token, chain } }, ["sale"]);
  const item = found.answer?.find((one) => one.chain === chain) ?? found.answer?.[0];
  if (item === undefined) return null;
  const others = item.sales.filter((one) => one.id !== current).sort((one, other) => timeOf(other).localeCompare(timeOf(one)));
  return (
    <section className="stack">
      <h2>{words.say("page.itemHistory")}</h2>
      <Origin maker={item.maker} since={item.since} isFirst={!others.some(wasSold)} />
      {others.length > 0 && (
        <ul className="rows measure">
          {others.map((sale) => (
            <Row key={sale.id} to={`/sales/${sale.id}`} title={words.alone(words.said(sale.status))} end={
              <>
                <span className="strong"><Money amount={sale.price.amount} currency={sale.price.currency} chain={sale.chain} /></span>
                {timeOf(sale) !== "" && <span className="soft small"><Time at={timeOf(sale)} as="day" /></span>}
              </>
            }>
              <span className="beside note">
                <span className="soft">{words.alone(words.named("role", "seller"))}</span> <Person account={sale.seller} size="mini" />
              </span>
              {wasSold(sale) && sale.buyer != null && (
                <span className="beside note">
                  <span className="soft">{words.alone(words.named("role", "buyer"))}</span> <Person account={sale.buyer} size="mini" />
                </span>
              )}
            </Row>
          ))}
        </ul>
      )}
    </section>
  );
}

interface OriginProps {
  readonly maker: string;
  /** When its token was first listed. */
  readonly since: string | null | undefined;
  readonly isFirst: boolean;
}

/** Whether something is new here, who made it, and since when it is known. */
export function Origin({ maker, since, isFirst }: OriginProps) {
  const words = useWords();
  return (
    <div className="stack close">
      <p>{words.say(isFirst ? "page.itemIsNew" : "page.itemIsResale")}</p>
      <div className="beside note"><span className="soft">{words.say("page.madeBy")}</span> <Person account={maker} size="mini" /></div>
      {since != null && <p className="soft note">{words.say("page.firstListedOn")}: <Time at={since} as="day" /></p>}
    </div>
  );
}

function timeOf(sale: Sale): string {
  return sale.since ?? sale.history[0]?.at ?? "";
}

/** Whether somebody has bought in a sale, and it was not undone. */
function wasSold(sale: Sale): boolean {
  return sale.stage === "over" && ["complete", "sold", "settled"].includes(sale.phase);
}
