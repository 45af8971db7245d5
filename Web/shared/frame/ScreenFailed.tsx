import { useEffect } from "react";
import { Button } from "../parts/Button";
import { Notice } from "../parts/Notice";
import { checkVersion } from "../version";
import { useWords } from "../words";

/** Instead of a screen that could not be drawn, mostly because the node is newer than the page. */
export function ScreenFailed() {
  const words = useWords();
  useEffect(() => void checkVersion(), []);
  return (
    <Notice kind="fault" isNews>
      <p>{words.say("page.screenFailed")}</p>
      <p><Button isSmall onClick={() => window.location.reload()}>{words.say("page.reload")}</Button></p>
    </Notice>
  );
}
