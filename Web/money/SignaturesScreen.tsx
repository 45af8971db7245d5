import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** What waits for a signature of the account's own wallet outside the node. */
export default function SignaturesScreen() {
  const words = useWords();
  const requests = useCall("GET /v1/signatures", {}, ["operation"]);
  return (
    <div className="stack measure">
      <Title text={words.say("page.signatures")} />
      <p className="soft">{words.say("page.signaturesWhy")}</p>
      <Shown of={requests}>
        {(all) => all.length === 0
          ? <Empty icon="check" title={words.say("page.noSignatures")}><Link className="button" to="/operations">{words.say("page.operations")}</Link></Empty>
          : (
            <ul className="rows">
              {all.map((one) => (
                <Row key={one.operation} to={`/signatures/${one.operation}`} title={words.alone(words.named("operation", one.kind))}
                  end={<span className="state warn">{words.alone(words.named("operationState", "needs_signature"))}</span>}>
                  <span className="soft note">{one.words.slice(0, 3).map((part) => words.said(part)).join(" · ")}</span>
                </Row>
              ))}
            </ul>
          )}
      </Shown>
    </div>
  );
}
