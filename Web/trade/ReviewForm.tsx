import type { Sale } from "../shared/api";
import { call } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { PictureField } from "../shared/parts/PictureField";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import { forPeople, problemsForPeople } from "../shared/sentences";
import { StarsField } from "./StarsField";
import { useSettled } from "../shared/useSettled";

const filesMax = 3;

interface Props {
  readonly sale: Sale;
  /** Of a course, the round; without it the newest that the account has not reviewed. */
  readonly round: number | undefined;
}

/** A review of a sale: stars, words, and files that show what is meant. It is published once, and stays. */
export function ReviewForm({ sale, round }: Props) {
  const words = useWords();
  const name = `review.${sale.id}.${round ?? ""}`;
  const form = useForm({ stars: "", text: "" }, { keep: name });
  const uploads = useUploads(filesMax, name);
  const text = form.values.text.trim();
  const body = {
    sale: sale.id, stars: Number(form.values.stars), ...(round !== undefined && { round }), ...(text !== "" && { text }),
    ...(uploads.ids.length > 0 && { media: uploads.ids.map((id) => ({ id })) }),
  };
  const settled = useSettled(form.values.stars === "" ? null : { body, query: {} });
  const reading = useCall("POST /v1/reviews/preview", settled, ["sale"]);
  const preview = reading.answer;

  async function publish(): Promise<void> {
    const missing = {
      ...(form.values.stars === "" && { stars: words.say("page.starsMissing") }),
      ...(uploads.isBusy && { media: words.say("page.uploadsUnderWay") }),
    };
    if (Object.keys(missing).length > 0 && form.refuse(missing)) return;
    const shown = await call("POST /v1/reviews/preview", { body, query: {} });
    if (form.show(problemsForPeople(shown.problems))) return;
    await call("POST /v1/reviews", { body: { ...body, ...(shown.round != null && { round: shown.round }) } });
    form.done();
    uploads.done();
    go(`/sales/${sale.id}`, "replace");
  }

  form.has("media");
  return (
    <div className="measure">
      <Form form={form} action={words.say("page.publishReview")} onSend={publish}
        beside={<Link to={`/sales/${sale.id}`} className="button bare">{words.say("page.notNow")}</Link>}>
        <StarsField form={form} name="stars" label={words.say("page.yourStars")} />
        <TextField form={form} name="text" isLong label={words.say("page.yourWords")} hint={words.say("page.yourWordsHint")} />
        <PictureField uploads={uploads} label={words.say("page.picturesAndFiles")} max={filesMax} hasDocuments faults={form.faults.get("media")} />
        <Notice>
          <p>{words.say("page.reviewOnce")}</p>
          {forPeople([...(preview?.summary ?? []), ...(preview?.warnings ?? [])]).filter((one) => one.code !== "review.once")
            .map((one) => <p key={one.code}>{words.said(one)}</p>)}
        </Notice>
      </Form>
    </div>
  );
}
