import type { SignatureRequest } from "../shared/api";
import { call, CallError } from "../shared/call";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

/** Takes the wallet's answer: a signature, a signed transaction, or the hash of one that it has sent. */
export function SignatureForm({ request }: { readonly request: SignatureRequest }) {
  const words = useWords();
  const isTransaction = request.transaction != null;
  const form = useForm({ way: isTransaction ? "transaction" : "signature", text: "" },
    { keep: `signature.${request.operation}`, called: { signature: "text", transaction: "text", hash: "text" } });
  const { way } = form.values;
  const ways = [
    ["transaction", words.say("page.signedTransaction")], ["hash", words.say("page.hashSent")], ["signature", words.say("page.signature")],
  ] as const;
  const hints = { transaction: "page.signedTransactionHint", hash: "page.hashHint", signature: "page.signatureHint" } as const;
  const hint = hints[way === "hash" || way === "signature" ? way : "transaction"];

  async function give(): Promise<void> {
    const text = form.values.text.trim();
    if (form.refuse(text === "" ? { text: words.say("page.fillIn") } : {})) return;
    try {
      await call("POST /v1/signatures/{id}", { path: { id: request.operation }, body: { [way]: text } });
    } catch (error) {
      const problem = error instanceof CallError ? error.problem : null;
      if (problem?.code !== "bad_signature") throw error;
      form.refuse({ text: words.problem(problem) });
      return;
    }
    form.done();
    go(`/operations/${request.operation}`);
  }

  return (
    <Form form={form} action={words.say("page.giveSignature")} onSend={give}>
      {isTransaction && <ChoiceField form={form} name="way" label={words.say("page.walletGives")} options={ways} />}
      <TextField form={form} name="text" label={ways.find(([value]) => value === way)?.[1] ?? ""} hint={words.say(hint)} isLong autoComplete="off" />
    </Form>
  );
}
