import type { UnattendedMoves } from "../shared/api";
import { call } from "../shared/call";
import { CheckField } from "../shared/parts/CheckField";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { SelectField } from "../shared/parts/SelectField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";
import { withPassword } from "./withPassword";

interface Props {
  readonly account: string;
  /** The moves that the node makes now. */
  readonly now: UnattendedMoves["moves"];
  readonly again: () => void;
}

const moves = ["deliver", "claim", "end", "refund"] as const;
const days = [7, 30, 60, 90, 365];

/** Leaves moves to the node for some time, after the password. */
export function UnattendedForm({ account, now, again }: Props) {
  const words = useWords();
  const form = useForm({
    deliver: now.includes("deliver"), claim: now.includes("claim"), end: now.includes("end"), refund: now.includes("refund"), days: "60", password: "",
  }, { secret: ["password"] });

  async function leave(): Promise<void> {
    const chosen = moves.filter((one) => form.values[one]);
    const { password } = form.values;
    const faults = {
      ...(chosen.length === 0 ? { refund: words.say("page.movesMissing") } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
    };
    if (form.refuse(faults)) return;
    await withPassword(form, words, async () => {
      await call("PUT /v1/accounts/{id}/unattended", {
        path: { id: account }, body: { moves: chosen, password, seconds: Number(form.values.days) * 86_400 },
      });
      form.setAll({ ...form.values, password: "" });
      form.done();
      again();
    });
  }

  return (
    <Form form={form} action={words.say(now.length === 0 ? "page.leaveToNode" : "page.change")} onSend={leave}>
      <fieldset className="stack close">
        <legend className="strong note">{words.say("page.whatNodeDoes")}</legend>
        {moves.map((one) => <CheckField key={one} form={form} name={one}>{words.alone(words.named("unattendedMove", one))}</CheckField>)}
      </fieldset>
      <SelectField form={form} name="days" label={words.say("page.forHowLong")} options={days.map((one) => [String(one), words.duration(one * 86_400)] as const)} />
      <Notice kind="warn">
        <p>{words.say("page.unattendedMeaning")}</p>
        <p>{words.say("page.unattendedRisk")}</p>
        <p>{words.say("page.unattendedEnds")}</p>
      </Notice>
      <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.passwordHint")} autoComplete="current-password" />
    </Form>
  );
}
