import { Link } from "../parts/Link";
import { Notice } from "../parts/Notice";
import { ending } from "../session";
import { useStore } from "../store";
import { useWords } from "../words";

/** Above a screen that everybody sees: that the session has ended by itself, with the way back. */
export function SessionEnded({ to }: { readonly to: string }) {
  const words = useWords();
  if (useStore(ending) === null) return null;
  return (
    <Notice isNews>
      <p>{words.say("page.sessionEnded")}. <Link to={`/sign-in?${new URLSearchParams({ to })}`}>{words.say("page.signIn")}</Link></p>
    </Notice>
  );
}
