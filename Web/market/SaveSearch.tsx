import { useState } from "react";
import type { SearchTermsInput } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { TextField } from "../shared/parts/TextField";
import { pointIn } from "../shared/places";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SearchQuery } from "./searchTerms";

/** The terms of a saved search, which has other names for some. */
export function savedTerms(query: SearchQuery): SearchTermsInput {
  const { search, stars, toMe, near, ...same } = query;
  const all = { ...same, text: search, starsMin: stars, reachesMe: toMe, near: pointIn(near ?? "") ?? undefined };
  // These say what is shown, not what is looked for.
  const shownOnly = ["after", "over", "hidden"];
  const kept = Object.entries(all).filter(([name, value]) => value !== undefined && !shownOnly.includes(name));
  return Object.fromEntries(kept) as SearchTermsInput;
}

/** Keeps a search, which then tells of each new match. */
export function SaveSearch({ terms }: { readonly terms: SearchQuery }) {
  const words = useWords();
  const hasAccount = useStore(session) !== null;
  const [isOpen, setOpen] = useState(false);
  if (!hasAccount || Object.keys(savedTerms(terms)).every((name) => name === "sort")) return null;
  return (
    <>
      <Button isSmall onClick={() => setOpen(true)}><Icon name="heart" />{words.say("page.saveSearch")}</Button>
      {isOpen && <SaveDialog terms={terms} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog({ terms, onClose }: { readonly terms: SearchQuery; readonly onClose: () => void }) {
  const words = useWords();
  const form = useForm({ name: terms.search ?? (terms.category === undefined ? "" : words.named("category", terms.category)) },
    { called: { id: "name" } });
  const [isSaved, setSaved] = useState(false);

  async function save(): Promise<void> {
    const name = form.values.name.trim();
    if (form.refuse(name === "" ? { name: words.say("page.nameNeeded") } : {})) return;
    await call("PUT /v1/searches/{id}", { path: { id: name }, body: savedTerms(terms) });
    form.done();
    setSaved(true);
  }

  return (
    <Dialog title={words.say("page.saveSearch")} onClose={onClose}>
      {isSaved
        ? (
          <Notice kind="good" isNews>
            <p>{words.say("page.searchSaved")}</p>
            <p><Link to="/searches">{words.say("page.savedSearches")}</Link></p>
          </Notice>
        )
        : (
          <Form form={form} action={words.say("page.save")} onSend={save}>
            <p className="soft">{words.say("page.saveSearchWhy")}</p>
            <TextField form={form} name="name" label={words.say("page.nameOfSearch")} />
          </Form>
        )}
    </Dialog>
  );
}
