import { Form } from "../shared/parts/Form";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { IdentifierAnswer } from "./IdentifierAnswer";

/** Asks what is known of an identifier, such as a serial number, before one lists or buys. */
export default function IdentifierScreen({ query }: ScreenProps) {
  const words = useWords();
  const identifier = query.get("identifier") ?? "";
  const form = useForm({ identifier });
  const found = useCall("GET /v1/identifiers", identifier === "" ? null : { query: { identifier } }, ["listing", "sale"]);

  async function check(): Promise<void> {
    const typed = form.values.identifier.trim();
    if (form.refuse(typed === "" ? { identifier: words.say("page.identifierNeeded") } : {})) return;
    form.done();
    go(`/check?${new URLSearchParams({ identifier: typed })}`);
  }

  return (
    <div className="stack far">
      <div className="stack measure">
        <Title text={words.say("page.checkIdentifier")} />
        <p className="soft">{words.say("page.checkIdentifierWhy")}</p>
        <Form form={form} action={words.say("page.check")} onSend={check}>
          <TextField form={form} name="identifier" label={words.say("page.identifier")} hint={words.say("page.identifierHint")} />
        </Form>
      </div>
      {identifier !== "" && <Shown of={found}>{(answer) => <IdentifierAnswer found={answer} />}</Shown>}
    </div>
  );
}
