import { useState } from "react";
import { CopyButton } from "../shared/parts/CopyButton";
import { Button } from "../shared/parts/Button";
import { Icon } from "../shared/parts/Icon";
import { Notice } from "../shared/parts/Notice";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import { session } from "../shared/session";
import { lock } from "../shared/signIn";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { AccountMenu } from "./AccountMenu";
import { useAccountMenu } from "./useAccountMenu";
import { SignOutDialog } from "./SignOutDialog";

/** The index of what belongs to the account, and the ways out. */
export default function AccountScreen() {
  const words = useWords();
  const account = useStore(session)?.account;
  const [isLeaving, setLeaving] = useState(false);
  const groups = useAccountMenu(account);
  if (account === undefined) return null;
  const { name, address } = account;

  function lockNow(): void {
    void lock();
    go(`/sign-in?${new URLSearchParams({ locked: name, to: "/account" })}`);
  }

  return (
    <div className="stack far measure">
      <div className="stack">
        <Title text={name} />
        <div className="beside">
          <span className="address soft">{address}</span>
          <CopyButton text={address} name={words.say("page.copyAddress")} />
        </div>
        {account.signsElsewhere === true && <Notice><p>{words.say("page.elsewhereWhat")}</p></Notice>}
      </div>
      {groups.map(([title, entries]) => <AccountMenu key={title} title={title} entries={entries} />)}
      <div className="stack close">
        <div className="beside">
          <Button onClick={lockNow}><Icon name="lock" />{words.say("page.lock")}</Button>
          <Button onClick={() => setLeaving(true)}>{words.say("page.signOut")}</Button>
        </div>
        <p className="soft small">{words.say("page.lockWhy")}</p>
      </div>
      {isLeaving && <SignOutDialog onClose={() => setLeaving(false)} />}
    </div>
  );
}
