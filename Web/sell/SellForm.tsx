import { useState } from "react";
import type { ActionPreview, ChainStatus, ListingContentInput } from "../shared/api";
import { call, CallError } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { Button } from "../shared/parts/Button";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { Form } from "../shared/parts/Form";
import { PictureField } from "../shared/parts/PictureField";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import { ownProblem, problemsForPeople } from "../trade/sentences";
import { calledByNode, contentOf, currencyOf, emptyValues, ownFaults, type SellValues } from "./goods";
import { PriceFields } from "./PriceFields";
import { ReachFields } from "./ReachFields";
import { SellPreview } from "./SellPreview";
import { TermsFields } from "./TermsFields";

const picturesMax = 6;

interface Props {
  readonly chains: readonly ChainStatus[];
  readonly categories: readonly string[];
}

interface Checked {
  readonly content: ListingContentInput;
  readonly preview: ActionPreview;
}

/** The form for goods. What is typed stays over reload, lock and sign-out; all faults stand beside their fields. */
export function SellForm({ chains, categories }: Props) {
  const words = useWords();
  const [chain] = chains;
  const form = useForm<SellValues>({ ...emptyValues, currency: `native ${chain?.chain ?? ""}`.trim() }, { keep: "sell", called: calledByNode });
  const uploads = useUploads(picturesMax, "sell");
  const [checked, setChecked] = useState<Checked | null>(null);
  const { values } = form;
  const arbiters = chains.find((one) => one.chain === currencyOf(values)[1])?.arbiters ?? chain?.arbiters ?? [];

  async function check(): Promise<void> {
    const own = [...ownFaults(values), ...(uploads.isBusy ? [ownProblem("media", "page.uploadsUnderWay")] : [])];
    const content = contentOf(values, uploads.ids);
    const answer = await call("POST /v1/listings/preview", { body: content, query: {} }).catch((error: unknown) => {
      if (own.length > 0 && error instanceof CallError) return error;
      throw error;
    });
    // A node that could not read the listing says one fault more.
    const found = answer instanceof CallError ? (answer.problem === null ? [] : [answer.problem]) : answer.problems;
    const isOwn = (field: string | null | undefined): boolean => own.some((one) => one.field === (calledByNode[field ?? ""] ?? field));
    // Money that is missing is said beside the costs; the form is right.
    const others = found.filter((one) => one.code !== "insufficient_balance" && !isOwn(one.field));
    if (form.show(inOrder([...own, ...problemsForPeople(others)]))) return;
    if (answer instanceof CallError) return;
    setChecked({ content, preview: answer });
    window.scrollTo(0, 0);
  }

  function empty(): void {
    form.setAll({ ...emptyValues, currency: values.currency });
    form.done();
    for (const one of uploads.all) uploads.remove(one.key);
  }

  if (checked !== null) {
    return <SellPreview content={checked.content} preview={checked.preview} onBack={() => setChecked(null)} onBegun={() => {
      form.done();
      uploads.done();
    }} />;
  }
  form.has("media");
  return (
    <div className="measure">
      <Form form={form} action={words.say("page.seePreview")} onSend={check}
        beside={<Button look="bare" onClick={empty}>{words.say("page.emptyForm")}</Button>}>
        <PictureField uploads={uploads} label={words.say("page.pictures")} max={picturesMax} hint={words.say("page.picturesHint")} hasFirst
          faults={form.faults.get("media")} />
        <TextField form={form} name="title" label={words.say("page.titleOfListing")} autoComplete="off" />
        <TextField form={form} name="description" label={words.say("page.description")} isLong hint={words.say("page.descriptionHint")} />
        <SelectField form={form} name="category" label={words.say("page.category")}
          options={[["", words.say("page.chooseCategory")], ...categories.filter((one) => one !== "course" && one !== "digital")
            .map((one) => [one, words.named("category", one)] as const)]} />
        <TextField form={form} name="identifier" label={words.say("page.identifier")} hint={words.say("page.sellIdentifierHint")} autoComplete="off" />
        <TextField form={form} name="tags" label={words.say("page.tags")} hint={words.say("page.tagsHint")} autoComplete="off" />
        <ChoiceField form={form} name="payment" label={words.say("page.wayToSell")}
          options={[["escrow", words.alone(words.named("payment", "escrow"))], ["direct", words.alone(words.named("payment", "direct"))]]} />
        <p className="soft note">{words.say(values.payment === "direct" ? "page.directHint" : "page.escrowHint")}</p>
        <PriceFields form={form} />
        <ReachFields form={form} />
        {values.payment === "escrow" && <TermsFields form={form} arbiters={arbiters} unit={unitOf(...currencyOf(values))?.symbol ?? ""} />}
        <p className="soft note">{words.say("page.formKept")}</p>
      </Form>
    </div>
  );
}

/** Problems in the order of the fields on the screen, which is that of the values. */
function inOrder<P extends { readonly field?: string | null }>(problems: readonly P[]): readonly P[] {
  const order = Object.keys(emptyValues);
  const place = ({ field }: P): number => order.indexOf(calledByNode[field ?? ""] ?? field ?? "");
  return problems.slice().sort((one, other) => place(one) - place(other));
}
