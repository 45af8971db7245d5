import { lazy, Suspense } from "react";
import { Empty } from "../parts/Empty";
import { Link } from "../parts/Link";
import { Loading } from "../parts/Loading";
import { Title } from "../parts/Title";
import { match, usePlace } from "../router";
import { screens } from "../screens";
import { session } from "../session";
import { useStore } from "../store";
import { checkVersion, isOutdated } from "../version";
import { useWords } from "../words";
import { ErrorBoundary } from "./ErrorBoundary";
import { ScreenFailed } from "./ScreenFailed";
import { SessionEnded } from "./SessionEnded";
import { SignInNeeded } from "./SignInNeeded";

const drawn = screens.map((screen) => ({ ...screen, View: lazy(() => screen.load().catch(reloadIfOutdated)) }));

/** Loads the new page for a screen that somebody goes to and only the new page has: nothing else is shown by then. */
async function reloadIfOutdated(error: unknown): Promise<never> {
  await checkVersion();
  if (isOutdated.get()) window.location.reload();
  throw error;
}

/** The screen of the page's address. */
export function ScreenView() {
  const words = useWords();
  const { path, query } = usePlace();
  const isSignedIn = useStore(session) !== null;
  for (const { path: pattern, needsAccount, View } of drawn) {
    const values = match(pattern, path);
    if (values === null) continue;
    if (needsAccount === true && !isSignedIn) return <SignInNeeded to={path + window.location.search} />;
    return (
      <ErrorBoundary key={path} instead={<ScreenFailed />}>
        {!isSignedIn && <SessionEnded to={path + window.location.search} />}
        <Suspense fallback={<Loading />}><View values={values} query={query} /></Suspense>
      </ErrorBoundary>
    );
  }
  return (
    <>
      <Title text={words.say("page.nothingHere")} />
      <Empty icon="search" title={words.say("page.noSuchScreen")}>
        <Link to="/" className="button">{words.say("page.toMarket")}</Link>
      </Empty>
    </>
  );
}
