import { useState } from "react";
import { Form } from "../shared/parts/Form";
import { PlaceField } from "../shared/parts/PlaceField";
import { SelectField } from "../shared/parts/SelectField";
import { distances, pointText, type ChosenPlace } from "../shared/places";
import { go } from "../shared/router";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { changed } from "./searchTerms";
import { useNear } from "./useNear";

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
}

/** Where the reader is, and how far away a listing may be; the nearest then come first. */
export function NearFilter({ base, query }: Props) {
  const words = useWords();
  const near = useNear(query);
  const [chosen, setChosen] = useState<ChosenPlace | null | "as before">("as before");
  const place = chosen === "as before" ? near : chosen;
  const form = useForm({ near: "", within: query.get("within") ?? "" });

  async function apply(): Promise<void> {
    const point = place?.point ?? null;
    if (form.refuse(point === null ? { near: words.say("page.chooseTown") } : {}) || point === null) return;
    form.done();
    const within = form.values.within === "" ? null : form.values.within;
    go(changed(base, query, { near: pointText(point), within, sort: query.get("sort") ?? "nearest" }));
  }

  form.has("near");
  return (
    <section className="stack close">
      <h2 className="note">{words.say("page.nearTown")}</h2>
      <Form form={form} action={words.say("page.showNear")} onSend={apply} look="quiet">
        <PlaceField label={words.say("page.town")} faults={form.faults.get("near")} value={place} onChange={setChosen} />
        <SelectField form={form} name="within" label={words.say("page.distanceMax")}
          options={[["", words.say("page.anyDistance")], ...distances.map((one) => [`${one}`, words.say("page.kilometres", { count: one })] as const)]} />
      </Form>
    </section>
  );
}
