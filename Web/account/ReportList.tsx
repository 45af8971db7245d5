import { useState } from "react";
import type { Report } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { PageButtons } from "../shared/parts/PageButtons";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";

const shownMax = 20;

/** Reports that the account sent, or those that it received; of the latter nothing is shown if there are none. */
export function ReportList({ isSent }: { readonly isSent: boolean }) {
  const words = useWords();
  const [pages, setPages] = useState<readonly string[]>([]);
  const after = pages.at(-1);
  const query = { sent: isSent, limit: shownMax, ...(after === undefined ? {} : { after }) };
  const reports = useLastAnswer(useCall("GET /v1/reports", { query }, ["message", "report", "message_state"]));
  if (!isSent && (reports.answer === null || reports.answer.items.length === 0)) return null;
  return (
    <section className="stack close">
      <h2>{words.say(isSent ? "page.sentReports" : "page.receivedReports")}</h2>
      <Shown of={reports}>
        {({ items, next }) => items.length === 0
          ? <p>{words.say("page.noReports")}</p>
          : (
            <>
              <ul className="rows">{items.map((one) => <ReportRow key={one.id} report={one} isSent={isSent} />)}</ul>
              <PageButtons pages={pages} next={next} onChange={setPages} />
            </>
          )}
      </Shown>
    </section>
  );
}

function ReportRow({ report, isSent }: { readonly report: Report; readonly isSent: boolean }) {
  const words = useWords();
  const { listing, account, review, title, text, answer, state, sentAt, sender } = report;
  const about = listing != null
    ? <Link to={`/listings/${listing}`}><bdi>{title ?? listing}</bdi></Link>
    : review != null
      ? <span className="beside">{words.say("page.aboutReview")} {account != null && <Person account={account} size="mini" />}</span>
      : account != null ? <Person account={account} /> : words.say("page.aboutNode");
  return (
    <Row title={about} end={isSent && <span className="state">{words.alone(words.named("messageState", state))}</span>}>
      <span className="note lines"><bdi>{text}</bdi></span>
      {!isSent && <Person account={sender} size="mini" />}
      {answer != null && <span className="note"><span className="strong">{words.say("page.answer")}</span> <bdi>{answer}</bdi></span>}
      {answer == null && isSent && <span className="soft small">{words.say("page.noAnswerYet")}</span>}
      <span className="soft small"><Time at={sentAt} /></span>
    </Row>
  );
}
