import { useState } from "react";
import type { ArbitrationInput, ChainStatus } from "../shared/api";
import { call } from "../shared/call";
import { currencies, unitOf } from "../shared/currencies";
import { smallest } from "../shared/money";
import { Form } from "../shared/parts/Form";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { useStore } from "../shared/store";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { ArbitrateDialog } from "./ArbitrateDialog";
import { problemsBesideMoney } from "../shared/sentences";

interface Props {
  readonly chains: readonly ChainStatus[];
  /** Whether the account has no registration yet. */
  readonly isFirst: boolean;
}

/** Registering as an arbiter: in which currency, for which fee, and for how long. */
export function ArbiterForm({ chains, isFirst }: Props) {
  const words = useWords();
  const known = useStore(currencies).filter((one) => one.symbol != null);
  const first = `native ${chains[0]?.chain ?? ""}`.trim();
  const form = useForm({ currency: first, fee: "", days: "365" }, { keep: "arbiter", called: { feeMin: "fee", until: "days" } });
  const [checked, setChecked] = useState<ArbitrationInput | null>(null);
  const [currency = "native", number] = form.values.currency.split(" ");
  const chain = number === undefined ? undefined : Number(number);
  const unit = unitOf(currency, chain);

  async function check(): Promise<void> {
    const feeMin = smallest(form.values.fee, unit?.decimals ?? 0);
    const days = /^\d{1,4}$/.test(form.values.days.trim()) ? Number(form.values.days) : 0;
    const faults = {
      ...(feeMin === null && { fee: words.say("page.notAnAmount") }), ...(days === 0 && { days: words.say("page.notDays") }),
    };
    if (Object.keys(faults).length > 0 && form.refuse(faults)) return;
    const head = chains.find((one) => one.chain === chain)?.headTime;
    const until = Math.floor((head == null ? Date.now() : Date.parse(head)) / 1_000) + days * 86_400;
    const body = { currency, feeMin: feeMin ?? "0", until, ...(chain !== undefined && { chain }) };
    const { problems } = await call("POST /v1/arbitration/preview", { body, query: {} });
    if (!form.show(problemsBesideMoney(problems))) setChecked(body);
  }

  return (
    <section className="stack">
      <h2>{words.say(isFirst ? "page.becomeArbiter" : "page.changeArbiter")}</h2>
      <Form form={form} action={words.say("page.seePreview")} onSend={check} look={isFirst ? "main" : "quiet"}>
        {known.length > 1 && (
          <SelectField form={form} name="currency" label={words.say("page.currency")}
            options={known.map((one) => [`${one.currency} ${one.chain}`, `${one.symbol ?? ""} (${one.name ?? ""})`] as const)} />
        )}
        <TextField form={form} name="fee" label={words.say("page.lowestFee")} hint={words.say("page.lowestFeeHint")} inputMode="decimal"
          autoComplete="off" unit={unit?.symbol} />
        <TextField form={form} name="days" label={words.say("page.arbiterDays")} hint={words.say("page.arbiterDaysHint")} inputMode="numeric"
          autoComplete="off" unit={words.say("page.daysUnit")} />
      </Form>
      {checked !== null && (
        <ArbitrateDialog body={checked} action={words.say("page.registerArbiter")} onClose={() => setChecked(null)} onBegun={form.done} />
      )}
    </section>
  );
}
