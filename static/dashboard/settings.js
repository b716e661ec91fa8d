/** The settings of the page, from the server. Only pages of an account have them. */
import { byId } from "./elements.js";

/** @import { DashboardSettings } from "../../routes/accounts/wallet_page.ts" */

/** @type {DashboardSettings} */
export const settings = JSON.parse(byId("dashboard").dataset.settings ?? "");
