import { Button } from "../shared/parts/Button";
import { Field } from "../shared/parts/Field";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";
import { sessionsMax, sessionsOf } from "./sessions";

/** The sessions of a course in their order, each with a title and what it is about. */
export function SessionsField({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  form.has("sessions");
  const sessions = sessionsOf(form.values.sessions);
  const put = (next: typeof sessions): void => form.set("sessions", JSON.stringify(next));
  const change = (at: number, part: { title?: string; content?: string }): void =>
    put(sessions.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const swap = (at: number): void => put(sessions.map((one, index) => sessions[index === at ? at - 1 : index === at - 1 ? at : index] ?? one));
  return (
    <fieldset className="field">
      <legend className="strong note">{words.say("page.curriculum")}</legend>
      <div className="stack">
        {sessions.map(({ title, content }, index) => {
          const number = words.say("page.sessionNumber", { number: index + 1 });
          return (
            // The order is all that tells two sessions apart.
            // eslint-disable-next-line react/no-array-index-key
            <div key={index} className="session">
              <Field label={number}>
                {(control) => <input {...control} value={title} autoComplete="off" onChange={(event) => change(index, { title: event.target.value })} />}
              </Field>
              <Field label={words.say("page.sessionContent")}>
                {(control) => <textarea {...control} value={content} onChange={(event) => change(index, { content: event.target.value })} />}
              </Field>
              <div className="beside">
                {index > 0 && (
                  <Button isSmall look="bare" onClick={() => swap(index)}>{words.say("page.moveUp")}<span className="unseen"> {number}</span></Button>
                )}
                <Button isSmall look="bare" onClick={() => put(sessions.filter((_, at) => at !== index))}>
                  {words.say("page.remove")}<span className="unseen"> {number}</span>
                </Button>
              </div>
            </div>
          );
        })}
        {sessions.length < sessionsMax && (
          <p><Button isSmall onClick={() => put([...sessions, { title: "", content: "" }])}>{words.say("page.addSession")}</Button></p>
        )}
      </div>
      {(form.faults.get("sessions") ?? []).map((fault) => <p key={fault} className="fault" data-faults tabIndex={-1}>{fault}</p>)}
      <p className="hint">{words.say("page.curriculumHint")}</p>
    </fieldset>
  );
}
