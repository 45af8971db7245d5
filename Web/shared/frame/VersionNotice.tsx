import { Button } from "../parts/Button";
import { Notice } from "../parts/Notice";
import { useStore } from "../store";
import { isOutdated } from "../version";
import { useWords } from "../words";

/** Above every screen: that the node has a newer page. Only the person reloads it. */
export function VersionNotice() {
  const words = useWords();
  if (!useStore(isOutdated)) return null;
  return (
    <Notice isNews>
      <p>{words.say("page.newVersion")}</p>
      <div><Button isSmall onClick={() => window.location.reload()}>{words.say("page.reload")}</Button></div>
    </Notice>
  );
}
