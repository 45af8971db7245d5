import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { signIn } from "../shared/signIn";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { newcomer, type Newcomer } from "./newcomer";
import { chosenPositions, wordsOf } from "./phrase";

interface Props {
  readonly made: Newcomer;
  readonly to: string;
  readonly onBack: () => void;
}

/** Asks for three words of the phrase, and signs in once they are right. */
export function PhraseProof({ made, to, onBack }: Props) {
  const words = useWords();
  const [positions] = useState(() => chosenPositions(made.phrase.length, 3));
  const first: Readonly<Record<string, string>> = Object.fromEntries(positions.map((position) => [`word${position}`, ""]));
  const form = useForm(first);

  function fault(position: number): string | null {
    const typed = wordsOf(form.values[`word${position}`] ?? "").join(" ");
    const number = position + 1;
    if (typed === made.phrase[position]) return null;
    if (typed === "") return words.say("page.wordMissing", { number });
    return made.phrase.includes(typed) ? words.say("page.wordElsewhere", { number }) : words.say("page.wordWrong", { number });
  }

  async function prove(): Promise<void> {
    const faults = positions.flatMap((position) => {
      const found = fault(position);
      return found === null ? [] : [[`word${position}`, found] as const];
    });
    if (form.refuse(Object.fromEntries(faults))) return;
    await signIn(made.name, made.password);
    form.done();
    newcomer.set(null);
    go(to, "replace");
  }

  return (
    <>
      <p>{words.say("page.proofWhy")}</p>
      <Form form={form} action={words.say("page.proofDone")} onSend={prove}
        beside={<Button look="bare" onClick={onBack}>{words.say("page.phraseAgain")}</Button>}>
        {positions.map((position) => (
          <TextField key={position} form={form} name={`word${position}`} label={words.say("page.wordNumber", { number: position + 1 })}
            autoComplete="off" lang="en" />
        ))}
      </Form>
    </>
  );
}
