import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { Row } from "../shared/parts/Row";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { ExportDialog } from "./ExportDialog";
import { PasswordDialog } from "./PasswordDialog";
import { ProofDialog } from "./ProofDialog";
import { RevealDialog } from "./RevealDialog";

type Way = "password" | "proof" | "export" | "reveal";

const dialogs = { password: PasswordDialog, proof: ProofDialog, export: ExportDialog, reveal: RevealDialog } as const;

/** Password, phrase and key of the account, and the way to remove it. */
export default function KeysScreen({ query }: ScreenProps) {
  const words = useWords();
  const account = useStore(session)?.account;
  const [way, setWay] = useState<Way | null>(null);
  if (account === undefined) return null;
  const Asked = way === null ? null : dialogs[way];
  const done = query.get("done");
  const entry = (of: Way, title: string, why: string, action: string) => (
    <Row title={title} end={<Button isSmall onClick={() => setWay(of)}>{action}<span className="unseen"> {title}</span></Button>}>
      <span className="soft small">{why}</span>
    </Row>
  );
  return (
    <div className="stack far measure">
      <div className="stack">
        <Title text={words.say("page.keys")} />
        {(done === "password" || done === "proof") && (
          <Notice kind="good" isNews><p>{words.say(done === "password" ? "page.passwordChanged" : "page.phraseProved")}</p></Notice>
        )}
        {account.signsElsewhere === true && <Notice><p>{words.say("page.elsewhereKeys")}</p></Notice>}
        <ul className="rows">
          {entry("password", words.say("page.password"), words.say("page.passwordWhat"), words.say("page.change"))}
          {account.signsElsewhere !== true && (
            <>
              {entry("proof", words.say("page.recoveryPhrase"), words.say("page.phraseWhat"), words.say("page.check"))}
              {entry("export", words.say("page.keystoreFile"), words.say("page.keystoreWhat"), words.say("page.saveFile"))}
              {entry("reveal", words.say("page.privateKey"), words.say("page.keyWhat"), words.say("page.show"))}
            </>
          )}
        </ul>
      </div>
      <section className="stack close">
        <h2>{words.say("page.removeAccount")}</h2>
        <p className="soft">{words.say("page.removeAccountShort")}</p>
        <div><Link className="button danger" to="/account/remove">{words.say("page.removeAccountGo")}</Link></div>
      </section>
      {Asked !== null && <Asked account={account} onClose={() => setWay(null)} />}
    </div>
  );
}
