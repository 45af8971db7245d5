import { useState } from "react";
import type { ExternalAccountStatement } from "../shared/api";
import { call } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { TextField } from "../shared/parts/TextField";
import { Title } from "../shared/parts/Title";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { ExternalProof } from "./ExternalProof";

/** Adds an account whose key stays in a wallet outside the node. */
export default function ExternalScreen() {
  const words = useWords();
  const form = useForm({ name: "", address: "" }, { keep: "external" });
  const [statement, setStatement] = useState<ExternalAccountStatement | null>(null);
  const given = { name: form.values.name.trim(), address: form.values.address.trim() };

  async function ask(): Promise<void> {
    const faults = {
      ...(given.name === "" ? { name: words.say("page.accountMissing") } : {}),
      ...(given.address === "" ? { address: words.say("page.fillIn") } : {}),
    };
    if (form.refuse(faults)) return;
    setStatement(await call("POST /v1/external-accounts/statement", { body: given }));
  }

  return (
    <div className="stack door wide">
      <Title text={words.say("page.externalAccount")} />
      <p className="soft">{words.say("page.externalWhy")}</p>
      <p className="soft note">{words.say("page.externalLimits")}</p>
      {statement === null
        ? (
          <Form form={form} action={words.say("page.next")} onSend={ask}>
            <TextField form={form} name="name" label={words.say("page.accountName")} hint={words.say("page.newNameHint")} autoComplete="username" />
            <TextField form={form} name="address" label={words.say("page.walletAddress")} hint={words.say("page.walletAddressHint")} autoComplete="off" />
          </Form>
        )
        : <ExternalProof account={given} statement={statement} onBack={() => setStatement(null)} onDone={form.done} />}
      <p className="door-ways note"><Link to="/sign-in">{words.say("page.haveAccount")}</Link><Link to="/sign-up">{words.say("page.signUp")}</Link></p>
    </div>
  );
}
