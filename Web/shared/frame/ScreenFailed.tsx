import { Button } from "../parts/Button";
import { Notice } from "../parts/Notice";
import { useWords } from "../words";

/** Instead of a screen that could not be drawn, mostly because the node is newer than the page. */
export function ScreenFailed() {
  const words = useWords();
  return (
    <Notice kind="fault" isNews>
      <p>{words.say("page.screenFailed")}</p>
      <p><Button isSmall onClick={() => window.location.reload()}>{words.say("page.reload")}</Button></p>
    </Notice>
  );
}
