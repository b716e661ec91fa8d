/** The form that reports a profile. */
import { byId } from "../dashboard/elements.js";
import { attempt, problem, showMessage } from "../dashboard/problems.js";

const MESSAGE = "report-message";

const form = document.getElementById("report-form");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { submitter } = event;
  attempt(submitter ?? form, MESSAGE, send);
});

async function send() {
  const form = byId("report-form", HTMLFormElement);
  const { address } = form.dataset;
  const response = await fetch(`/api/profiles/${address}/reports`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  }).catch(() => null);
  if (!response?.ok) {
    const answer = await response?.json().catch(() => null);
    throw problem(answer?.message ?? "Firn is unreachable. Try again later.");
  }
  form.hidden = true;
  showMessage(MESSAGE, "Thank you. The operator reads your report.", "good");
}
