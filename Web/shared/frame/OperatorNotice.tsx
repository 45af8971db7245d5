import { Button } from "../parts/Button";
import { Notice } from "../parts/Notice";
import { isLinkOver, operator } from "../operator";
import { signOutOperator } from "../signInOperator";
import { useStore } from "../store";
import { useWords } from "../words";

/** Above every screen: that the operator is signed in on this tab, or that the link for that is over. */
export function OperatorNotice() {
  const words = useWords();
  const isOver = useStore(isLinkOver);
  if (useStore(operator) === null) {
    return isOver ? <Notice kind="fault" isNews><p>{words.say("page.operatorLinkOver")}</p></Notice> : null;
  }
  return (
    <Notice isNews>
      <p><strong>{words.say("page.operatorIn")}</strong></p>
      <p>{words.say("page.operatorSees")}</p>
      <div><Button isSmall onClick={() => void signOutOperator()}>{words.say("page.operatorOut")}</Button></div>
    </Notice>
  );
}
