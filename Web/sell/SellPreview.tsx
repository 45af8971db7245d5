import type { ActionPreview, ListingContentInput } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { useForm } from "../shared/useForm";
import { usePreview } from "../shared/usePreview";
import type { Upload } from "../shared/useUploads";
import { useWords, type PlainCode } from "../shared/words";
import { FeeField, type FeeSpeed } from "../shared/parts/FeeField";
import { PreviewCosts } from "../shared/parts/PreviewCosts";
import { problemsForPeople } from "../shared/sentences";
import { useIntent } from "../shared/useIntent";
import { ContentShown } from "./ContentShown";

interface Props {
  readonly content: ListingContentInput;
  /** Its pictures and documents. */
  readonly files: readonly Upload[];
  /** The preview with which the form was checked. */
  readonly preview: ActionPreview;
  readonly onBack: () => void;
  /** Called with the operation once it has begun, so that the form is forgotten. */
  readonly onBegun: (operation: string) => void;
}

/** The sentence on what stays once it is listed: title and description too of a work, which is known by them, and of an auction. */
function stays({ type, payment }: ListingContentInput): PlainCode {
  if (type === "course") return "page.staysOfCourse";
  return type === "digital" || payment === "auction" ? "page.staysWithWords" : "page.staysAsListed";
}

type PreviewValues = { readonly feeSpeed: string };

/** What others will see, what it costs and what comes back; then it is put on sale. */
export function SellPreview({ content, files, preview: first, onBack, onBegun }: Props) {
  const words = useWords();
  const form = useForm<PreviewValues>({ feeSpeed: "normal" });
  const feeSpeed = form.values.feeSpeed as FeeSpeed;
  // Each thing has an intent of its own, so that one with an unknown end blocks no other.
  const intent = useIntent(`sell.${content.identifier === "" ? content.title : content.identifier}`);
  const reading = usePreview("POST /v1/listings/preview", { body: content, query: { feeSpeed } }, ["operation", "sale"], 0);
  const preview = reading.answer ?? first;
  const chain = preview.chain ?? undefined;

  async function list(): Promise<void> {
    const shown = await reading.shown();
    if (shown === null || form.show(problemsForPeople(shown.problems))) return;
    const { feeMax } = shown;
    const begun = await intent((once) => call("POST /v1/listings", { once, body: content, query: { feeMax: feeMax ?? "0", feeSpeed } }));
    form.done();
    onBegun(begun.id);
  }

  return (
    <div className="deal">
      <PreviewCosts of={{ ...reading, answer: preview }} />
      <div className="stack">
        <h2>{words.say("page.asOthersSeeIt")}</h2>
        <ContentShown content={content} files={files} chain={chain} />
        <Form form={form} action={words.say("page.putOnSale")} onSend={list} isWaiting={reading.isWaiting}
          beside={<Button look="bare" onClick={onBack}>{words.say("page.backToForm")}</Button>}>
          <Notice><p>{words.say(stays(content))}</p></Notice>
          <FeeField form={form} name="feeSpeed" />
        </Form>
      </div>
    </div>
  );
}
