import { Empty } from "../parts/Empty";
import { Link } from "../parts/Link";
import { Title } from "../parts/Title";
import { ending } from "../session";
import { useStore } from "../store";
import { useWords } from "../words";

/** Instead of a screen that only an account sees; it leads back there afterwards. */
export function SignInNeeded({ to }: { readonly to: string }) {
  const words = useWords();
  const why = useStore(ending);
  const back = new URLSearchParams({ to });
  return (
    <>
      <Title text={words.say("page.signIn")} />
      <Empty icon="lock" title={words.say(why === null ? "page.needsAccount" : "page.sessionEnded")}>
        <p>{words.say(why === null ? "page.needsAccountWhy" : "page.sessionEndedWhy")}</p>
        <div className="beside">
          <Link to={`/sign-in?${back}`} className="button main-action">{words.say("page.signIn")}</Link>
          <Link to={`/sign-up?${back}`} className="button">{words.say("page.signUp")}</Link>
        </div>
      </Empty>
    </>
  );
}
