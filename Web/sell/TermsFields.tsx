import type { ChainStatusArbiter } from "../shared/api";
import { short } from "../shared/addresses";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { Name, SellValues } from "./listingValues";

interface Props {
  readonly form: FormState<SellValues>;
  readonly arbiters: readonly ChainStatusArbiter[];
  readonly unit: string;
}

const names: readonly Name[] = ["sellerDeposit", "buyerDeposit", "latePenalty", "shipDays", "confirmDays", "rulingDays", "arbiter", "arbiterFee"];

/** The terms of the contract, which most sellers leave as they are. */
export function TermsFields({ form, arbiters, unit }: Props) {
  const words = useWords();
  for (const name of names) form.has(name);
  const hasFault = names.some((name) => form.faults.has(name));
  const days = words.say("page.daysUnit");
  const amount = { inputMode: "decimal", autoComplete: "off", unit } as const;
  const time = { inputMode: "numeric", autoComplete: "off", unit: days } as const;
  return (
    <details className="terms" open={hasFault || undefined}>
      <summary className="strong note">{words.say("page.terms")}</summary>
      <div className="stack more">
        <p className="soft note">{words.say("page.termsWhy")}</p>
        <TextField form={form} name="sellerDeposit" label={words.say("page.ownDeposit")} hint={words.say("page.ownDepositHint")} {...amount} />
        <TextField form={form} name="buyerDeposit" label={words.say("page.buyerDeposit")} hint={words.say("page.buyerDepositHint")} {...amount} />
        <TextField form={form} name="latePenalty" label={words.say("page.latePenalty")} hint={words.say("page.latePenaltyHint")} {...amount} />
        <TextField form={form} name="shipDays" label={words.say("page.shipDays")} {...time} />
        <TextField form={form} name="confirmDays" label={words.say("page.confirmDays")} {...time} />
        <TextField form={form} name="rulingDays" label={words.say("page.rulingDays")} {...time} />
        {arbiters.length > 0
          ? (
            <SelectField form={form} name="arbiter" label={words.say("page.arbiter")} hint={words.say("page.arbiterHint")}
              options={[["", words.say("page.noArbiter")], ...arbiters.map((one) => [one.account, one.name ?? short(one.account)] as const)]} />
          )
          : <TextField form={form} name="arbiter" label={words.say("page.arbiter")} hint={words.say("page.arbiterHint")} autoComplete="off" />}
        {form.values.arbiter !== "" && <TextField form={form} name="arbiterFee" label={words.say("page.arbiterFee")} {...amount} />}
      </div>
    </details>
  );
}
