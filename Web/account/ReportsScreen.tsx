import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { ReportList } from "./ReportList";

/** The reports that the account has sent, with what was answered, and those that it has received. */
export default function ReportsScreen({ query }: ScreenProps) {
  const words = useWords();
  return (
    <div className="stack far measure">
      <div className="stack">
        <Title text={words.say("page.reports")} />
        <p className="soft">{words.say("page.reportsWhy")}</p>
        {query.get("sent") === "now" && <Notice kind="good" isNews><p>{words.say("page.reportSent")}</p></Notice>}
        <ReportList isSent />
        <p><Link to="/report">{words.say("page.reportNode")}</Link></p>
      </div>
      <ReportList isSent={false} />
    </div>
  );
}
