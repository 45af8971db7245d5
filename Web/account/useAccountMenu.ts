import type { Account } from "../shared/api";
import { useWords } from "../shared/words";
import type { MenuEntry } from "./AccountMenu";

/** The entries of the account's index in groups; an account that signs elsewhere has some others. */
export function useAccountMenu(account: Account | undefined): readonly (readonly [title: string, entries: readonly MenuEntry[]])[] {
  const words = useWords();
  const isHere = account?.signsElsewhere !== true;
  const mine = (...entries: readonly MenuEntry[]): readonly MenuEntry[] => (isHere ? entries : []);
  return [
    [words.say("page.groupTrade"), [
      ["/sales", "trade", words.say("page.mySales"), words.say("page.mySalesWhy")],
      ["/selling", "tag", words.say("page.ownListings"), words.say("page.ownListingsWhy")],
      ["/offers", "tag", words.say("page.priceOffers"), words.say("page.priceOffersShort")],
      ["/courses/mine", "course", words.say("page.myCourses"), words.say("page.myCoursesShort")],
      ["/works", "file", words.say("page.boughtFiles"), words.say("page.boughtFilesShort")],
      ["/cart", "cart", words.say("page.cart"), words.say("page.cartShort")],
      ["/favourites", "heart", words.say("page.favourites"), words.say("page.favouritesShort")],
      ["/searches", "search", words.say("page.savedSearches"), words.say("page.saveSearchWhy")],
      ["/arbiter", "info", words.say("page.arbiter"), words.say("page.arbiterShort")],
      ["/address", "home", words.say("page.sendingAddress"), words.say("page.sendingAddressShort")],
    ]],
    [words.say("page.groupMoney"), [
      ["/wallet", "wallet", words.say("page.wallet"), words.say("page.walletWhy")],
      ["/operations", "clock", words.say("page.operations"), words.say("page.operationsWhy")],
      ...(isHere ? [] : [["/signatures", "check", words.say("page.signatures"), words.say("page.signaturesShort")] as const]),
    ]],
    [words.say("page.groupPeople"), [
      ...mine(["/account/profile", "person", words.say("page.profile"), words.say("page.profileShort")]),
      [`/accounts/${account?.address ?? ""}`, "search", words.say("page.publicSide"), words.say("page.publicSideWhy")],
      ["/account/names", "tag", words.say("page.names"), words.say("page.namesShort")],
      ["/account/hidden", "close", words.say("page.blocksAndHidden"), words.say("page.blocksShort")],
      ["/lists", "filter", words.say("page.hidingLists"), words.say("page.hidingListsShort")],
      ...mine(["/account/reports", "warn", words.say("page.reports"), words.say("page.reportsShort")]),
    ]],
    [words.say("page.groupSafety"), [
      ["/account/keys", "lock", words.say("page.keys"), words.say("page.keysShort")],
      ["/account/sessions", "info", words.say("page.sessions"), words.say("page.sessionsShort")],
      ...mine(
        ["/account/unattended", "clock", words.say("page.unattended"), words.say("page.unattendedShort")],
        ["/account/homes", "home", words.say("page.homes"), words.say("page.homesShort")],
      ),
      ["/settings", "settings", words.say("page.settings"), words.say("page.settingsWhy")],
    ]],
  ];
}
