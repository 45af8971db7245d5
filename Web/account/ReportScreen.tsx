import { useState } from "react";
import { call, newKey } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { TextField } from "../shared/parts/TextField";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

/** Tells the account that the node's operator named about a listing, a review or an account, or about the node. */
export default function ReportScreen({ query }: ScreenProps) {
  const words = useWords();
  const [listing, account, review] = [query.get("listing"), query.get("account"), query.get("review")];
  const about = listing ?? account ?? review ?? "node";
  const form = useForm({ text: "" }, { keep: `report.${about}` });
  const [key] = useState(newKey);
  const known = useCall("GET /v1/listings/{id}", listing === null ? null : { path: { id: listing }, query: {} });

  async function send(): Promise<void> {
    const text = form.values.text.trim();
    if (form.refuse(text === "" ? { text: words.say("page.reportMissing") } : {})) return;
    const subject = listing !== null ? { listing } : account !== null ? { account } : review !== null ? { review } : {};
    await call("POST /v1/reports", { body: { text, ...subject }, once: key });
    form.done();
    go("/account/reports?sent=now", "replace");
  }

  return (
    <div className="stack measure">
      <Title text={words.say("page.report")} />
      <p className="soft">{words.say("page.reportWhy")}</p>
      {listing !== null && (
        <p><span className="soft">{words.say("page.aboutWhat")}</span> <Link to={`/listings/${listing}`}><bdi>{known.answer?.content.title ?? listing}</bdi></Link></p>
      )}
      {account !== null && <p className="beside"><span className="soft">{words.say("page.aboutWhat")}</span> <Person account={account} /></p>}
      {review !== null && listing === null && <p className="soft">{words.say("page.aboutReview")}</p>}
      <Form form={form} action={words.say("page.sendReport")} onSend={send}>
        <TextField form={form} name="text" label={words.say("page.whatIsWrong")} hint={words.say("page.reportHint")} isLong />
      </Form>
    </div>
  );
}
