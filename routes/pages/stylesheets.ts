/** Which files of `static/styles/` make up each stylesheet, in the order of their rules. */

/** The folder of the parts, inside `static/`. Parts have no URL of their own. */
export const STYLES_FOLDER = "styles/";

/** The parts of each stylesheet by its name, so that a page needs one request for all of them. */
export const STYLESHEETS: Readonly<Record<string, readonly string[]>> = {
  "firn.css": [
    "firn/tokens.css",
    "firn/base.css",
    "firn/shell.css",
    "firn/layout.css",
    "firn/text.css",
    "firn/cards.css",
    "firn/notices.css",
    "firn/tables.css",
    "firn/forms.css",
    "firn/code.css",
    "firn/tabs.css",
    "firn/progress.css",
    "firn/charts.css",
    "firn/preferences.css",
  ],
  "explorer.css": [
    "explorer/page.css",
    "explorer/chart.css",
    "explorer/readout.css",
    "explorer/form.css",
    "explorer/print.css",
  ],
  "chains.css": ["chains.css"],
  "score.css": [
    "score/headline.css",
    "score/dimensions.css",
    "score/reasons.css",
    "score/history.css",
    "score/search.css",
  ],
  "dashboard.css": [
    "dashboard/account.css",
    "dashboard/usage.css",
    "dashboard/keys.css",
    "dashboard/payments.css",
    "dashboard/dialogs.css",
    "dashboard/steps.css",
    "dashboard/first_answer.css",
  ],
  "docs.css": [
    "docs/layout.css",
    "docs/navigation.css",
    "docs/search.css",
    "docs/code.css",
    "docs/index.css",
    "docs/guides.css",
    "docs/reference.css",
  ],
  "status.css": ["status.css"],
};
