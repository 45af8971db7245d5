import { useEffect, useMemo, useState } from "react";
import { currencies, names, unitOf } from "../currencies";
import { link } from "../events";
import { languages, type Catalogue, type Language } from "../languages";
import { Notice } from "../parts/Notice";
import { language } from "../preferences";
import { session } from "../session";
import { useStore } from "../store";
import { WordsContext, wordsOf } from "../words";
import { Footer } from "./Footer";
import { Header } from "./Header";
import { OperatorNotice } from "./OperatorNotice";
import { PasswordQuestion } from "./PasswordQuestion";
import { ScreenView } from "./ScreenView";
import { Tabs } from "./Tabs";

/** The whole page, in the chosen language. */
export function App() {
  const wanted = useStore(language);
  const [loaded, setLoaded] = useState<{ language: Language; catalogue: Catalogue } | null>(null);
  const units = useStore(currencies);
  const known = useStore(names);
  const isAway = useStore(link) === "away";
  const own = useStore(session);
  useEffect(() => {
    let isCurrent = true;
    void languages[wanted].load().then(async ({ default: catalogue }) => {
      if (isCurrent) setLoaded({ language: wanted, catalogue });
      const late = await languages[wanted].loadLate();
      if (isCurrent) setLoaded({ language: wanted, catalogue: { ...catalogue, ...late.default } });
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  useEffect(() => {
    document.documentElement.lang = loaded?.language ?? "en";
  }, [loaded]);
  const words = useMemo(
    () => loaded && wordsOf(loaded.language, loaded.catalogue, { unit: unitOf, name: (account) => known.get(account.toLowerCase()) }),
    // The units are read from their store, so new ones make new words.
    // eslint-disable-next-line react/exhaustive-deps
    [loaded, units, known],
  );
  if (words === null) return null;
  return (
    <WordsContext.Provider value={words}>
      <div className="frame">
        <Header />
        <main className="main" id="main">
          {isAway && own !== null && <Notice kind="warn" isNews><p>{words.say("page.linkLost")}</p></Notice>}
          <OperatorNotice />
          <ScreenView />
        </main>
        <Footer />
        <Tabs />
        <PasswordQuestion />
      </div>
    </WordsContext.Provider>
  );
}
