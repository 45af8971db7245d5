import { Notice } from "../parts/Notice";
import { useWords } from "../words";

/** Above every screen at an address without TLS that is not this machine's: what others see there, and what browsers forbid. */
export function InsecureNotice() {
  const words = useWords();
  if (window.isSecureContext) return null;
  return <Notice kind="warn"><p>{words.say("page.noEncryption")}</p></Notice>;
}
