import { useState } from "react";
import type { ActionPreview, ChainStatus, ListingContentInput } from "../shared/api";
import { call, CallError } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { Button } from "../shared/parts/Button";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { Form } from "../shared/parts/Form";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import { ownProblem, problemsForPeople } from "../shared/sentences";
import { keepBegun } from "./begun";
import { CourseFields } from "./CourseFields";
import { DraftButton } from "./DraftButton";
import { DraftDialog } from "./DraftDialog";
import type { Start } from "./fromContent";
import { HeldFacts } from "./HeldFacts";
import { contentOf } from "./listingContent";
import { calledBy, currencyOf, emptyValues, inOrder, paymentOf, type SellValues } from "./listingValues";
import { PaymentFields } from "./PaymentFields";
import { PriceFields } from "./PriceFields";
import { ReachFields } from "./ReachFields";
import { RoundFields } from "./RoundFields";
import { ownFaults } from "./sellFaults";
import { SellPreview } from "./SellPreview";
import { TermsFields } from "./TermsFields";
import { picturesMax, WordFields } from "./WordFields";
import { WorkField } from "./WorkField";

interface Props {
  readonly chains: readonly ChainStatus[];
  readonly categories: readonly string[];
  /** The values and pictures that it begins with; null for a new form. */
  readonly start: Start | null;
  /** The name under which it is kept in this tab. */
  readonly keep: string;
  /** The draft that it goes on with. */
  readonly draft: string | null;
}

interface Checked {
  readonly content: ListingContentInput;
  readonly preview: ActionPreview;
}

/** The form for everything that can be sold. What is typed stays over reload, lock and sign-out; all faults stand beside their fields. */
export function SellForm({ chains, categories, start, keep, draft }: Props) {
  const words = useWords();
  const [chain] = chains;
  const first = start?.values ?? { ...emptyValues, currency: `native ${chain?.chain ?? ""}`.trim() };
  const form = useForm<SellValues>(first, { keep, called: ({ type }) => calledBy(type) });
  const uploads = useUploads(picturesMax("goods"), keep, start?.pictures);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isNaming, setNaming] = useState(false);
  const { values } = form;
  const arbiters = chains.find((one) => one.chain === currencyOf(values)[1])?.arbiters ?? chain?.arbiters ?? [];
  const pictures = uploads.ids.slice(0, picturesMax(values.type));

  async function check(): Promise<void> {
    const own = [...ownFaults(values), ...(uploads.isBusy ? [ownProblem("media", "page.uploadsUnderWay")] : []),
      ...(values.type === "digital" && uploads.all.length === 0 ? [ownProblem("media", "page.pictureMissing")] : [])];
    const content = contentOf(values, pictures);
    const answer = await call("POST /v1/listings/preview", { body: content, query: {} }).catch((error: unknown) => {
      if (own.length > 0 && error instanceof CallError) return error;
      throw error;
    });
    // A node that could not read the listing says one fault more.
    const found = answer instanceof CallError ? (answer.problem === null ? [] : [answer.problem]) : answer.problems;
    const called = calledBy(values.type);
    const isOwn = (field: string | null | undefined): boolean => own.some((one) => one.field === (called[field ?? ""] ?? field));
    // Money that is missing is said beside the costs; the form is right. A course without times has no terms yet.
    const others = found.filter((one) => one.code !== "insufficient_balance" && !isOwn(one.field) && !(one.field === "course" && own.length > 0));
    if (form.show(inOrder([...own, ...problemsForPeople(others)], values.type))) return;
    if (answer instanceof CallError) return;
    setChecked({ content, preview: answer });
    window.scrollTo(0, 0);
  }

  function empty(): void {
    form.setAll({ ...emptyValues, type: values.type, currency: values.currency });
    form.done();
    for (const one of uploads.all) uploads.remove(one.key);
  }

  function saved(name: string): void {
    form.done();
    uploads.done();
    if (name !== draft) go(`/sell?${new URLSearchParams({ draft: name })}`, "replace");
  }

  function begun(operation: string): void {
    keepBegun(operation, values, uploads.all);
    form.done();
    uploads.done();
    go(`/sell?${new URLSearchParams({ operation, ...(draft !== null && { draft }) })}`, "replace");
  }

  if (checked !== null) {
    return <SellPreview content={checked.content} files={uploads.all} preview={checked.preview} onBack={() => setChecked(null)} onBegun={begun} />;
  }
  return (
    <div className="measure">
      <Form form={form} action={words.say("page.seePreview")} onSend={check} beside={
        <>
          <DraftButton content={contentOf(values, pictures)} name={draft} onAsk={() => setNaming(true)} onSaved={saved} />
          {start === null && <Button look="bare" onClick={empty}>{words.say("page.emptyForm")}</Button>}
        </>
      }>
        {values.item === ""
          ? (
            <ChoiceField form={form} name="type" label={words.say("page.whatKind")}
              options={(["goods", "digital", "course"] as const).map((type) => [type, words.alone(words.named("type", type))] as const)} />
          )
          : <HeldFacts values={values} />}
        {values.type === "digital" && values.item === "" && <WorkField form={form} />}
        <WordFields form={form} uploads={uploads} categories={categories} isNew />
        {values.type === "course" && <CourseFields form={form} />}
        <PaymentFields form={form} />
        <PriceFields form={form} />
        <ReachFields form={form} />
        {paymentOf(values) === "escrow" && <TermsFields form={form} arbiters={arbiters} unit={unitOf(...currencyOf(values))?.symbol ?? ""} />}
        {values.type === "course" && <RoundFields form={form} />}
        <p className="soft note">{words.say("page.formKept")}</p>
      </Form>
      {isNaming && <DraftDialog content={contentOf(values, pictures)} onClose={() => setNaming(false)} onSaved={saved} />}
    </div>
  );
}
