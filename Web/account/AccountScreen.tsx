import { useState } from "react";
import { CopyButton } from "../shared/parts/CopyButton";
import { Button } from "../shared/parts/Button";
import { Icon, type IconName } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import { session } from "../shared/session";
import { lock } from "../shared/signIn";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { SignOutDialog } from "./SignOutDialog";

/** What belongs to the account, and the ways out. */
export default function AccountScreen() {
  const words = useWords();
  const account = useStore(session)?.account;
  const [isLeaving, setLeaving] = useState(false);
  if (account === undefined) return null;
  const { name, address } = account;
  const entries: readonly (readonly [to: string, icon: IconName, title: string, why: string])[] = [
    ["/sales", "trade", words.say("page.mySales"), words.say("page.mySalesWhy")],
    ["/wallet", "wallet", words.say("page.wallet"), words.say("page.walletWhy")],
    ["/operations", "clock", words.say("page.operations"), words.say("page.operationsWhy")],
    ["/address", "home", words.say("page.sendingAddress"), words.say("page.sendingAddressShort")],
    ["/searches", "heart", words.say("page.savedSearches"), words.say("page.saveSearchWhy")],
    [`/accounts/${address}`, "person", words.say("page.publicSide"), words.say("page.publicSideWhy")],
    ["/settings", "settings", words.say("page.settings"), words.say("page.settingsWhy")],
  ];

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
      </div>
      <ul className="rows menu">
        {entries.map(([to, icon, title, why]) => (
          <li key={to}>
            <div className="row">
              <Icon name={icon} />
              <div className="row-main">
                <span className="row-title"><Link to={to}>{title}</Link></span>
                <span className="soft small">{why}</span>
              </div>
              <Icon name="next" />
            </div>
          </li>
        ))}
      </ul>
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
