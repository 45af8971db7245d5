import { Button } from "../shared/parts/Button";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";
import type { Newcomer } from "./newcomer";

/** The recovery phrase, shown once, and what it restores and what not. */
export function PhraseShown({ made, onWritten }: { readonly made: Newcomer; readonly onWritten: () => void }) {
  const words = useWords();
  return (
    <>
      <p>{words.say("page.phraseWrite", { count: made.phrase.length, name: made.name })}</p>
      <ol className="phrase" lang="en" translate="no">
        {/* A word can come twice. */}
        {/* eslint-disable-next-line react/no-array-index-key */}
        {made.phrase.map((word, index) => <li key={index}>{word}</li>)}
      </ol>
      <dl className="facts">
        <div className="fact"><dt>{words.say("page.phraseRestores")}</dt><dd>{words.say("page.phraseRestoresWhat")}</dd></div>
        <div className="fact"><dt>{words.say("page.phraseLacks")}</dt><dd>{words.say("page.phraseLacksWhat")}</dd></div>
      </dl>
      <Notice kind="warn"><p>{words.say("page.phraseSecret")}</p></Notice>
      <div><Button look="main" onClick={onWritten}>{words.say("page.phraseWritten")}</Button></div>
    </>
  );
}
