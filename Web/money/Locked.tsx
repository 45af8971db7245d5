import type { Wallet } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Row } from "../shared/parts/Row";
import { useWords } from "../shared/words";
import { bySale, sums } from "./sums";
import { useSaleTitles } from "./useSaleTitles";

/** The money that sales hold, sale by sale, with its sum. */
export function Locked({ wallet: { locked, chain } }: { readonly wallet: Wallet }) {
  const words = useWords();
  const titleOf = useSaleTitles();
  return (
    <section className="stack close">
      <h2>{words.say("page.lockedMoney")}</h2>
      {locked.length === 0
        ? <p className="soft">{words.say("page.nothingLocked")}</p>
        : (
          <>
            <p className="soft note">{words.say("page.lockedWhere")}</p>
            <ul className="rows">
              {bySale(locked).map(({ sale, status, money }) => (
                <Row key={sale} to={`/sales/${sale}`} title={<bdi>{titleOf(sale)}</bdi>}
                  end={money.map((one) => <Money key={one.currency} {...one} chain={chain} rounding="up" />)}>
                  <span className="soft small">{words.alone(words.said(status))}</span>
                </Row>
              ))}
            </ul>
            <dl className="costs">
              {sums(locked.map((one) => one.money)).map((sum) => (
                <div key={sum.currency} className="sum-row"><dt>{words.say("page.lockedTotal")}</dt><dd><Money {...sum} chain={chain} rounding="up" /></dd></div>
              ))}
            </dl>
          </>
        )}
    </section>
  );
}
