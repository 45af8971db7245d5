import type { Problem } from "../shared/api";
import { pointIn } from "../shared/places";
import { ownProblem } from "../shared/sentences";
import { amountOf, canHavePieces, countOf, paymentOf, secondsOf, shareOf, timeOf, type Name, type SellValues } from "./listingValues";
import { givenSessions } from "./sessions";

/** The amounts that can be left empty, by the way to sell. */
function amountsOf(values: SellValues): readonly Name[] {
  if (paymentOf(values) !== "escrow") return [];
  return ["sellerDeposit", "buyerDeposit", "latePenalty", ...(values.arbiter === "" ? [] : ["arbiterFee"] as const)];
}

const days: Readonly<Record<ReturnType<typeof paymentOf>, readonly Name[]>> = {
  escrow: ["days", "shipDays", "confirmDays", "rulingDays"], direct: ["days"], auction: ["auctionDays"], enrolment: ["beginDays", "ratingDays"],
};

function notWhole(typed: string): boolean {
  return countOf(typed) === null;
}

/** The faults that the page itself finds: values that it cannot send at all, and fields that no listing is without. */
export function ownFaults(values: SellValues): readonly Problem[] {
  const { type, delivery, reach, courseAt, item } = values;
  const payment = paymentOf(values);
  const isCourse = type === "course";
  const texts: readonly Name[] = type === "goods" ? ["title", "description", "category", ...(item === "" ? ["identifier"] as const : []), "tags"]
    : type === "digital" ? ["title", "description", "tags"] : ["title", "description"];
  const isAtPlace = isCourse ? courseAt === "pickup" : type === "goods" && delivery === "pickup";
  const check = (names: readonly Name[], isWrong: (typed: string) => boolean, code: Parameters<typeof ownProblem>[1]): readonly Problem[] =>
    names.filter((name) => isWrong(String(values[name]))).map((name) => ownProblem(name, code));
  return [
    ...(type === "digital" && values.work === "" ? [ownProblem("work", "page.chooseWork")] : []),
    ...check(texts, (typed) => typed.trim() === "", "page.fillIn"),
    ...check(["price"], (typed) => amountOf(values, typed) === null, "page.notAnAmount"),
    ...check(amountsOf(values), (typed) => typed.trim() !== "" && amountOf(values, typed) === null, "page.notAnAmount"),
    ...check(days[payment], (typed) => secondsOf(typed) === null, "page.notDays"),
    ...(canHavePieces(values) ? check(["pieces"], notWhole, "page.notWhole") : []),
    ...(payment === "auction" ? [
      ...check(["increment"], (typed) => shareOf(typed) === null, "page.notShare"),
      ...check(["extension"], (typed) => secondsOf(typed) === null, "page.notWhole"),
    ] : []),
    ...(isCourse ? [
      ...check(["seats"], notWhole, "page.notWhole"),
      ...check(["startsAt", "endsAt"], (typed) => timeOf(typed) === null, "page.notTime"),
      ...(givenSessions(values.sessions).some(({ title }) => title === "") ? [ownProblem("sessions", "page.sessionTitleMissing")] : []),
    ] : []),
    ...(type === "goods" && delivery === "shipping" && reach === "countries" ? check(["shipsTo"], (typed) => typed === "", "page.noCountry") : []),
    ...(type === "goods" && delivery === "shipping" && reach === "around"
      ? check(["around"], () => pointIn(values.aroundPoint) === null, "page.chooseTown") : []),
    ...(isAtPlace ? check(["pickupPlace"], (typed) => typed.trim() === "", "page.fillIn") : []),
  ];
}
