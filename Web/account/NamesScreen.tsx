import { useState } from "react";
import type { Contact } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { NameDialog } from "./NameDialog";

/** The names that the reader has given to accounts; only the reader sees them. */
export default function NamesScreen({ query }: ScreenProps) {
  const words = useWords();
  const contacts = useCall("GET /v1/contacts", {});
  const [edited, setEdited] = useState<Pick<Contact, "account" | "name"> | null>(() => {
    const account = query.get("account");
    return account === null ? null : { account, name: "" };
  });
  return (
    <div className="stack measure">
      <Title text={words.say("page.names")}>
        <Button isSmall onClick={() => setEdited({ account: "", name: "" })}>{words.say("page.addName")}</Button>
      </Title>
      <p className="soft">{words.say("page.namesWhy")}</p>
      <Shown of={contacts}>
        {(all) => all.length === 0
          ? <Empty icon="person" title={words.say("page.noNames")}><p>{words.say("page.noNamesWhy")}</p></Empty>
          : (
            <ul className="rows">
              {all.map((one) => (
                <Row key={one.account} title={<Person account={one.account} name={one.name} />}
                  end={<Button isSmall onClick={() => setEdited(one)}>{words.say("page.change")}<span className="unseen"> {one.name}</span></Button>}>
                  {one.profileName != null && one.profileName !== one.name && (
                    <span className="soft small">{words.say("page.callsItself", { name: one.profileName })}</span>
                  )}
                </Row>
              ))}
            </ul>
          )}
      </Shown>
      {edited !== null && (
        <NameDialog key={edited.account} contact={edited} isKnown={contacts.answer?.some((one) => one.account === edited.account) === true}
          again={contacts.again} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}
