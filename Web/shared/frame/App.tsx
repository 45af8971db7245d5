import { useEffect, useMemo, useState } from "react";
import { currencies, names, unitOf } from "../currencies";
import { link } from "../events";
import { languages, type Catalogue, type Language } from "../languages";
import { Notice } from "../parts/Notice";
import { language } from "../preferences";
import { session } from "../session";
import { useStore } from "../store";
import { checkVersion } from "../version";
import { WordsContext, wordsOf } from "../words";
import { ErrorBoundary } from "./ErrorBoundary";
import { Footer } from "./Footer";
import { Header } from "./Header";
import { InsecureNotice } from "./InsecureNotice";
import { NoWords } from "./NoWords";
import { OperatorNotice } from "./OperatorNotice";
import { PasswordQuestion } from "./PasswordQuestion";
import { ScreenFailed } from "./ScreenFailed";
import { ScreenView } from "./ScreenView";
import { Tabs } from "./Tabs";
import { VersionNotice } from "./VersionNotice";

/** The whole page, in the chosen language. */
export function App() {
  const wanted = useStore(language);
  const [loaded, setLoaded] = useState<{ language: Language; catalogue: Catalogue } | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const units = useStore(currencies);
  const known = useStore(names);
  const isAway = useStore(link) === "away";
  const own = useStore(session);
  useEffect(() => {
    let isCurrent = true;
    async function load(): Promise<void> {
      const { default: catalogue } = await languages[wanted].load();
      if (isCurrent) setLoaded({ language: wanted, catalogue });
      const late = await languages[wanted].loadLate();
      if (isCurrent) setLoaded({ language: wanted, catalogue: { ...catalogue, ...late.default } });
    }
    setFailed(false);
    load().catch(() => {
      void checkVersion();
      if (isCurrent) setFailed(true);
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
  if (words === null) return hasFailed ? <NoWords /> : null;
  return (
    <WordsContext.Provider value={words}>
      <ErrorBoundary instead={<main className="main"><ScreenFailed /></main>}>
        <div className="frame">
          <Header />
          <main className="main" id="main">
            {isAway && own !== null && <Notice kind="warn" isNews><p>{words.say("page.linkLost")}</p></Notice>}
            {hasFailed && <Notice kind="warn" isNews><p>{words.say("page.textsMissing")}</p></Notice>}
            <VersionNotice />
            <InsecureNotice />
            <OperatorNotice />
            <ScreenView />
          </main>
          <Footer />
          <Tabs />
          <PasswordQuestion />
        </div>
      </ErrorBoundary>
    </WordsContext.Provider>
  );
}
