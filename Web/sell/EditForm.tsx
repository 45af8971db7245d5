import { useState } from "react";
import type { Listing, ListingContentInput } from "../shared/api";
import { call } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import { ownProblem, problemsForPeople } from "../shared/sentences";
import { ChangeDialog } from "./ChangeDialog";
import { changedContent } from "./changes";
import { FixedFacts } from "./FixedFacts";
import { startOf } from "./fromContent";
import { wordsOf } from "./listingContent";
import { calledBy, inOrder, type Name, type SellValues } from "./listingValues";
import { ReachFields } from "./ReachFields";
import { ownFaults } from "./sellFaults";
import { SessionsField } from "./SessionsField";
import { picturesMax, WordFields } from "./WordFields";

interface Props {
  readonly listing: Listing;
  readonly categories: readonly string[];
}

/** The fields that an edit has. */
const changed: readonly Name[] = ["title", "description", "category", "tags", "sessions", "pickupPlace", "shipsTo"];

/** The form of an edit: words, pictures and where it is sent. */
export function EditForm({ listing, categories }: Props) {
  const words = useWords();
  const { content } = listing;
  const [start] = useState(() => startOf(content, []));
  const keep = `edit.${listing.id}`;
  const form = useForm<SellValues>(start.values, { keep, called: ({ type }) => calledBy(type) });
  const uploads = useUploads(picturesMax("goods"), keep, start.pictures);
  const [asked, setAsked] = useState<ListingContentInput | null>(null);
  const { values } = form;

  async function check(): Promise<void> {
    const own = [...ownFaults(values).filter((one) => changed.some((name) => name === one.field)),
      ...(uploads.isBusy ? [ownProblem("media", "page.uploadsUnderWay")] : [])];
    const next = changedContent(listing, wordsOf(values, uploads.ids.slice(0, picturesMax(values.type))));
    const { problems } = await call("POST /v1/listings/{id}/preview", { path: { id: listing.id }, body: next, query: {} });
    const others = problems.filter((one) => !own.some((found) => found.field === (calledBy(values.type)[one.field ?? ""] ?? one.field)));
    if (form.show(inOrder([...own, ...problemsForPeople(others)], values.type))) return;
    setAsked(next);
  }

  return (
    <>
      <Form form={form} action={words.say("page.seePreview")} onSend={check}
        beside={<Link to={`/listings/${listing.id}`} className="button bare">{words.say("page.notNow")}</Link>}>
        <FixedFacts listing={listing} />
        <WordFields form={form} uploads={uploads} categories={categories} isNew={false} />
        {values.type === "course" && <SessionsField form={form} />}
        <ReachFields form={form} />
        <p className="soft note">{words.say("page.promiseStays")}</p>
      </Form>
      {asked !== null && (
        <ChangeDialog listing={listing} content={asked} title={words.say("page.edit")} action={words.say("page.editNow")}
          onClose={() => setAsked(null)} onAgreed={() => {
            form.done();
            uploads.done();
          }} />
      )}
    </>
  );
}
