import type { ComponentType } from "react";

/** Each screen gets the values of its path and of the part after the question mark. */
export interface ScreenProps {
  readonly values: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Screen {
  /** As in '/listings/:id'. */
  readonly path: string;
  /** Whether nobody sees it without an account. */
  readonly needsAccount?: true;
  readonly load: () => Promise<{ default: ComponentType<ScreenProps> }>;
}

/** All screens, in the order of their folders. Tests/PageTests opens each of them. */
export const screens: readonly Screen[] = [
  // market
  { path: "/", load: () => import("../market/Home") },
  { path: "/search", load: () => import("../market/Search") },
  { path: "/searches", needsAccount: true, load: () => import("../market/SavedSearches") },
  { path: "/categories/:id", load: () => import("../market/Category") },
  { path: "/listings/:id", load: () => import("../market/ListingScreen") },
  { path: "/accounts/:id", load: () => import("../market/SellerScreen") },
  { path: "/favourites", needsAccount: true, load: () => import("../market/FavouritesScreen") },
  { path: "/check", load: () => import("../market/IdentifierScreen") },
  // sell
  { path: "/sell", needsAccount: true, load: () => import("../sell/SellScreen") },
  { path: "/selling", needsAccount: true, load: () => import("../sell/SellingScreen") },
  { path: "/listings/:id/edit", needsAccount: true, load: () => import("../sell/EditScreen") },
  // trade
  { path: "/listings/:id/buy", needsAccount: true, load: () => import("../trade/BuyScreen") },
  { path: "/listings/:id/offer", needsAccount: true, load: () => import("../trade/OfferScreen") },
  { path: "/offers", needsAccount: true, load: () => import("../trade/OffersScreen") },
  { path: "/cart", needsAccount: true, load: () => import("../trade/CartScreen") },
  { path: "/cart/checkout", needsAccount: true, load: () => import("../trade/CheckoutScreen") },
  { path: "/works", needsAccount: true, load: () => import("../trade/WorksScreen") },
  { path: "/sales", needsAccount: true, load: () => import("../trade/SalesScreen") },
  { path: "/sales/:id", needsAccount: true, load: () => import("../trade/SaleScreen") },
  { path: "/sales/:id/review", needsAccount: true, load: () => import("../trade/ReviewScreen") },
  { path: "/arbiter", needsAccount: true, load: () => import("../trade/ArbiterScreen") },
  // learn
  { path: "/courses", load: () => import("../learn/CoursesScreen") },
  { path: "/courses/mine", needsAccount: true, load: () => import("../learn/MyCoursesScreen") },
  { path: "/sales/:id/attendance", needsAccount: true, load: () => import("../learn/AttendanceScreen") },
  // money
  { path: "/wallet", needsAccount: true, load: () => import("../money/WalletScreen") },
  { path: "/wallet/send", needsAccount: true, load: () => import("../money/SendScreen") },
  { path: "/wallet/receive", needsAccount: true, load: () => import("../money/ReceiveScreen") },
  { path: "/wallet/history", needsAccount: true, load: () => import("../money/HistoryScreen") },
  { path: "/wallet/tokens", needsAccount: true, load: () => import("../money/TokensScreen") },
  { path: "/operations", needsAccount: true, load: () => import("../money/OperationsScreen") },
  { path: "/operations/:id", needsAccount: true, load: () => import("../money/OperationScreen") },
  { path: "/signatures", needsAccount: true, load: () => import("../money/SignaturesScreen") },
  { path: "/signatures/:id", needsAccount: true, load: () => import("../money/SignatureScreen") },
  // talk
  // account
  { path: "/sign-in", load: () => import("../account/SignInScreen") },
  { path: "/sign-up", load: () => import("../account/SignUpScreen") },
  { path: "/recover", load: () => import("../account/RecoverScreen") },
  { path: "/account", needsAccount: true, load: () => import("../account/AccountScreen") },
  { path: "/external", load: () => import("../account/ExternalScreen") },
  { path: "/account/profile", needsAccount: true, load: () => import("../account/ProfileScreen") },
  { path: "/account/keys", needsAccount: true, load: () => import("../account/KeysScreen") },
  { path: "/account/remove", needsAccount: true, load: () => import("../account/RemoveScreen") },
  { path: "/account/sessions", needsAccount: true, load: () => import("../account/SessionsScreen") },
  { path: "/account/unattended", needsAccount: true, load: () => import("../account/UnattendedScreen") },
  { path: "/account/homes", needsAccount: true, load: () => import("../account/HomesScreen") },
  { path: "/account/names", needsAccount: true, load: () => import("../account/NamesScreen") },
  { path: "/account/hidden", needsAccount: true, load: () => import("../account/HiddenScreen") },
  { path: "/account/reports", needsAccount: true, load: () => import("../account/ReportsScreen") },
  { path: "/report", needsAccount: true, load: () => import("../account/ReportScreen") },
  { path: "/lists", needsAccount: true, load: () => import("../account/ListsScreen") },
  { path: "/lists/:id", needsAccount: true, load: () => import("../account/ListScreen") },
  { path: "/address", needsAccount: true, load: () => import("../account/AddressScreen") },
  { path: "/settings", load: () => import("../account/SettingsScreen") },
  // node
  { path: "/licences", load: () => import("../node/Licences") },
  { path: "/welcome", load: () => import("../node/Welcome") },
];
