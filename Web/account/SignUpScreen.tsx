import { useState } from "react";
import { Meter } from "../shared/parts/Meter";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { newcomer } from "./newcomer";
import { PhraseProof } from "./PhraseProof";
import { PhraseShown } from "./PhraseShown";
import { SignUpForm } from "./SignUpForm";
import { whereTo } from "./whereTo";

/** Makes an account: name and password, the recovery phrase once, three of its words. */
export default function SignUpScreen({ query }: ScreenProps) {
  const words = useWords();
  const made = useStore(newcomer);
  const [isWritten, setWritten] = useState(false);
  const to = whereTo(query);
  const step = made === null ? 0 : isWritten ? 2 : 1;
  const names = [words.say("page.nameAndPassword"), words.say("page.recoveryPhrase"), words.say("page.threeWords")];
  const titles = [words.say("page.signUp"), words.say("page.recoveryPhrase"), words.say("page.threeWords")];
  return (
    <div className={`stack door${step === 0 ? "" : " wide"}`}>
      {/* A new heading for each step takes the focus, as on a new screen. */}
      <Title key={step} text={titles[step] ?? ""} />
      <Meter name={words.say("page.signUp")}
        steps={names.map((name, index) => ({ name, state: index < step ? "done" : index === step ? "now" : "later" }))} />
      {made === null
        ? <SignUpForm to={to} onMade={() => setWritten(false)} />
        : isWritten
          ? <PhraseProof made={made} to={to} onBack={() => setWritten(false)} />
          : <PhraseShown made={made} onWritten={() => setWritten(true)} />}
    </div>
  );
}
