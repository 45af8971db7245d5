import type { ActionPreview, ListingContentInput } from "../shared/api";
import { Curriculum } from "../learn/Curriculum";
import { call } from "../shared/call";
import { nameOfPlace } from "../shared/countries";
import { Button } from "../shared/parts/Button";
import { Form } from "../shared/parts/Form";
import { Money } from "../shared/parts/Money";
import { Picture } from "../shared/parts/Picture";
import { Notice } from "../shared/parts/Notice";
import { useForm } from "../shared/useForm";
import { usePreview } from "../shared/usePreview";
import type { Upload } from "../shared/useUploads";
import { useWords, type PlainCode } from "../shared/words";
import { FeeField, type FeeSpeed } from "../shared/parts/FeeField";
import { PreviewCosts } from "../shared/parts/PreviewCosts";
import { problemsForPeople } from "../shared/sentences";
import { useIntent } from "../shared/useIntent";
import { RoundFacts } from "./RoundFacts";

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

  const documents = files.filter((one) => one.isDocument === true && content.media?.some(({ id }) => id === one.id));
  const pictures = (content.media ?? []).filter(({ id }) => documents.every((one) => one.id !== id));
  const places = content.shipsTo.map((one) => nameOfPlace(one, words.language)).join(", ");
  const within = content.shipsWithin;
  const around = within == null ? null : words.say("page.withinOf", { distance: within.metres / 1000, place: within.place });
  return (
    <div className="deal">
      <PreviewCosts of={{ ...reading, answer: preview }} />
      <div className="stack">
        <h2>{words.say("page.asOthersSeeIt")}</h2>
        {pictures.length > 0 && (
          <div className="sell-pictures">
            {pictures.map((one, index) => (
              <Picture key={one.id} id={one.id} name={words.say("page.pictureNumber", { number: index + 1 })} form="wide" />
            ))}
          </div>
        )}
        <h3 className="sell-title"><bdi>{content.title}</bdi></h3>
        <p className="price">
          <Money amount={content.price.amount} currency={content.price.currency} chain={chain} rounding="whole" />
          {content.pieces != null && <span className="soft note"> · {words.say("page.pieces")} {content.pieces}</span>}
        </p>
        <p className="soft note">
          {content.type === "goods" && <>{words.named("category", content.category)} · </>}{words.alone(words.named("payment", content.payment))} ·{" "}
          {content.delivery === "online" && words.alone(words.named("delivery", "online"))}
          {content.delivery === "pickup" && <bdi>{content.pickupPlace}</bdi>}
          {content.delivery === "shipping" && (around !== null ? <bdi>{words.alone(around)}</bdi> : places === "" ? words.alone(words.say("page.everywhere")) : words.say("page.shipsTo", { place: places }))}
        </p>
        <p className="lines"><bdi>{content.description}</bdi></p>
        {documents.length > 0 && <p className="note">{words.say("page.documents")}: <bdi>{documents.map((one) => one.name).join(", ")}</bdi></p>}
        {content.course != null && <RoundFacts course={content.course} />}
        <Curriculum sessions={content.curriculum} isDeep />
        <Form form={form} action={words.say("page.putOnSale")} onSend={list} isWaiting={reading.isWaiting}
          beside={<Button look="bare" onClick={onBack}>{words.say("page.backToForm")}</Button>}>
          <Notice><p>{words.say(stays(content))}</p></Notice>
          <FeeField form={form} name="feeSpeed" />
        </Form>
      </div>
    </div>
  );
}
