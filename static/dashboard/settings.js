/** What the service tells the page at the start. */
import { byId } from "./elements.js";

/** @import { DashboardSettings } from "../../routes/views/accounts/dashboard.ts" */

/** @type {DashboardSettings} */
export const settings = JSON.parse(byId("dashboard").dataset.settings ?? "");
