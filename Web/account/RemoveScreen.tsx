import { useState } from "react";
import { forgetPrices } from "../market/savedPrices";
import { call, CallError } from "../shared/call";
import { CheckField } from "../shared/parts/CheckField";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { TextField } from "../shared/parts/TextField";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import { endSession, session } from "../shared/session";
import { useStore } from "../shared/store";
import { forgetForms, useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";
import { withPassword } from "./withPassword";

/** Removes the account from the node, once its name and password are typed. */
export default function RemoveScreen() {
  const words = useWords();
  const account = useStore(session)?.account;
  const form = useForm({ name: "", password: "", profile: "auto", acceptsLosses: false }, { secret: ["password"] });
  const [isBusy, setBusy] = useState(false);
  if (account === undefined) return null;
  const { name, address } = account;

  async function remove(): Promise<void> {
    const { password, profile, acceptsLosses } = form.values;
    const faults = {
      ...(form.values.name.trim() !== name ? { name: words.say("page.nameToRemove", { name }) } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
    };
    if (form.refuse(faults)) return;
    try {
      const isMade = await withPassword(form, words, async () => {
        await call("POST /v1/accounts/{id}/remove", {
          path: { id: address },
          body: { password, ...(acceptsLosses ? { acceptsLosses } : {}), ...(profile !== "auto" && { withdrawsProfile: profile === "withdraw" }) },
        });
      });
      if (!isMade) return;
    } catch (error) {
      setBusy(error instanceof CallError && error.problem?.code === "account_busy");
      throw error;
    }
    form.done();
    forgetForms(address);
    forgetPrices(address);
    endSession("left");
    go("/welcome", "replace");
  }

  return (
    <div className="stack measure">
      <Title text={words.say("page.removeAccount")} />
      <Notice kind="warn">
        <p>{words.say("page.removeLoses")}</p>
        <p>{words.say("page.removeKeeps")}</p>
        <p>{words.say("page.removeBefore")}</p>
        <p><Link to="/account/keys">{words.say("page.keys")}</Link></p>
      </Notice>
      <Form form={form} action={words.say("page.removeForGood")} look="danger" onSend={remove}>
        <ChoiceField form={form} name="profile" label={words.say("page.profileThen")} options={[
          ["auto", words.say("page.profileAuto")], ["withdraw", words.say("page.profileWithdraw")], ["keep", words.say("page.profileKeep")],
        ]} />
        <TextField form={form} name="name" label={words.say("page.typeName", { name })} autoComplete="off" />
        <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.passwordHint")} autoComplete="current-password" />
        {isBusy && <CheckField form={form} name="acceptsLosses">{words.say("page.acceptsLosses")}</CheckField>}
      </Form>
    </div>
  );
}
