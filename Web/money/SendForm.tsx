import { useEffect, useState } from "react";
import type { Transfer, Wallet } from "../shared/api";
import { call } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { exact, smallest } from "../shared/money";
import { Button } from "../shared/parts/Button";
import { Form } from "../shared/parts/Form";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { readPaymentUri } from "./paymentUri";
import { SendDialog } from "./SendDialog";

interface Props {
  readonly wallet: Wallet;
  /** The chains that the node follows. */
  readonly chains: readonly number[];
  readonly first: { readonly to: string; readonly currency: string };
}

/** How the amount is written that sends everything. */
const everything = "MAX";

/** To whom, how much, and in which currency. */
export function SendForm({ wallet, chains, first }: Props) {
  const words = useWords();
  const { chain, balances } = wallet;
  const known = balances.some((one) => one.currency === first.currency) ? first.currency : "native";
  // A draft for another receiver stays out of a form for this one.
  const form = useForm({ to: first.to, amount: "", currency: known }, { keep: `send.${chain}.${first.to}` });
  const [asked, setAsked] = useState<Transfer | null>(null);
  const { to, amount, currency } = form.values;
  const unit = unitOf(currency, chain);
  const options = balances.map((one) => [one.currency, `${unitOf(one.currency, chain)?.symbol ?? one.currency}`] as const);
  const balance = balances.find((one) => one.currency === currency);

  // A pasted payment request fills in the form.
  useEffect(() => {
    // One without a chain is for that of the form.
    const request = readPaymentUri(to, [chain, ...chains]);
    if (request === null) return;
    if (request.chain !== chain) {
      // Otherwise coming back to this chain would lead away again.
      form.setAll({ ...form.values, to: "" });
      go(`/wallet/send?${new URLSearchParams({ chain: String(request.chain), to })}`, "replace");
      return;
    }
    const has = balances.find((one) => one.currency.toLowerCase() === request.currency.toLowerCase());
    // A token that the account does not have: the node says that this is no receiver, and no other currency goes there instead.
    if (has === undefined && request.currency !== "native") return;
    const decimals = unitOf(request.currency, chain)?.decimals;
    form.setAll({
      to: request.account, currency: has?.currency ?? currency,
      amount: has === undefined || decimals === undefined || request.amount === undefined ? amount : exact(request.amount, decimals),
    });
    // Only the pasted text counts.
    // eslint-disable-next-line react/exhaustive-deps
  }, [to]);

  async function preview(): Promise<void> {
    const isAll = amount.trim().toUpperCase() === everything;
    const read = isAll ? "max" : smallest(amount, unit?.decimals ?? 0);
    const faults = {
      ...(to.trim() === "" ? { to: words.say("page.receiverMissing") } : {}),
      ...(read === null ? { amount: words.say("page.notAnAmount") } : {}),
    };
    if (form.refuse(faults) || read === null) return;
    const body: Transfer = { to: to.trim(), amount: read, currency, chain };
    const { problems } = await call("POST /v1/wallet/send/preview", { body, query: { feeSpeed: "normal" } });
    // What the account lacks belongs to the amount.
    if (form.show(problems.map((one) => (one.code === "insufficient_balance" ? { ...one, field: "amount" } : one)))) return;
    setAsked(body);
  }

  return (
    <>
      <Form form={form} action={words.say("page.seePreview")} onSend={preview}>
        <TextField form={form} name="to" label={words.say("page.receiver")} hint={words.say("page.receiverHint")} autoComplete="off" />
        <TextField form={form} name="amount" label={words.say("page.amount")} inputMode="decimal" autoComplete="off"
          hint={balance && words.say("page.haveHint", { balance: words.money(balance.amount, currency, chain, "down") })}
          unit={(
            <span className="beside">
              <span>{unit?.symbol}</span>
              <Button isSmall onClick={() => form.set("amount", everything)}>{everything}<span className="unseen"> {words.say("page.maxWhy")}</span></Button>
            </span>
          )} />
        {options.length > 1 && <SelectField form={form} name="currency" label={words.say("page.currency")} options={options} />}
      </Form>
      {asked !== null && <SendDialog transfer={asked} onSent={form.done} onClose={() => setAsked(null)} />}
    </>
  );
}
