import { useState } from "react";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { HiddenList } from "./HiddenList";

/** The accounts that the reader has blocked, and what lists hide from the reader. */
export default function HiddenScreen() {
  const words = useWords();
  const blocked = useCall("GET /v1/blocked", {});
  const hidden = useCall("GET /v1/hidden", {}, ["listing"]);
  const form = useForm({ account: "" });
  const [error, setError] = useState<CallError | null>(null);
  const again = (): void => {
    blocked.again();
    hidden.again();
  };

  async function block(): Promise<void> {
    const account = form.values.account.trim();
    if (form.refuse(account === "" ? { account: words.say("page.fillIn") } : {})) return;
    await call("POST /v1/blocked", { body: { account } });
    form.setAll({ account: "" });
    form.done();
    again();
  }

  async function unblock(account: string): Promise<void> {
    setError(null);
    try {
      await call("DELETE /v1/blocked/{id}", { path: { id: account } });
      again();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
  }

  return (
    <div className="stack far measure">
      <section className="stack">
        <Title text={words.say("page.blocksAndHidden")} />
        <p className="soft">{words.say("page.blocksWhy")}</p>
        {error !== null && <Fault error={error} />}
        <Shown of={blocked}>
          {(all) => all.length === 0
            ? <p>{words.say("page.noBlocks")}</p>
            : (
              <ul className="rows">
                {all.map((one) => (
                  <Row key={one.account} title={<Person account={one.account} />}
                    end={<Button isSmall onClick={() => void unblock(one.account)}>{words.say("page.unblock")}<span className="unseen"> {one.account}</span></Button>}>
                    <span className="soft small">{words.say("page.sinceTime")} <Time at={one.since} as="day" /></span>
                  </Row>
                ))}
              </ul>
            )}
        </Shown>
        <Form form={form} action={words.say("page.block")} look="quiet" onSend={block}>
          <TextField form={form} name="account" label={words.say("page.address")} hint={words.say("page.addressHint")} autoComplete="off" />
        </Form>
      </section>
      <section className="stack close">
        <h2>{words.say("page.hiddenByLists")}</h2>
        <p className="soft note">{words.say("page.hiddenByListsWhy")}</p>
        <Shown of={hidden}>{(all) => <HiddenList entries={all.filter((one) => one.list != null)} />}</Shown>
        <p><Link to="/lists">{words.say("page.hidingLists")}</Link></p>
      </section>
    </div>
  );
}
