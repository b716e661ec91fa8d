/** The form that verifies the manifests of the downloads, and a downloaded file. */
import { checkChain, checkFile } from "./downloads/manifests.js";

const form = document.querySelector("#verify-downloads");
const input = document.querySelector("#file");
const pin = document.querySelector("#pinned-key");
const verdict = document.querySelector("#verdict");

/** A release is published each day. */
const MAX_AGE_MS = 3 * 86_400_000;

/** What a check without problems has shown, and how it is coloured. */
const OUTCOMES = {
  verified: ["good", "Verified: signed with the key that you gave"],
  unsigned: ["warn", "Unsigned: nothing proves who made these files"],
  keyNotPinned: [
    "warn",
    "Not verified: the keys come from this deployment too. Paste the publisher's key, which you have from elsewhere",
  ],
};

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  show("notice", ["Verifying…"]);
  try {
    const { newest, manifests, signed, authenticity, problems } =
      await checkChain(read, {
        pinned: pin.value.trim(),
        since: new Date(Date.now() - MAX_AGE_MS).toISOString().slice(0, 10),
      });
    const [file] = input.files;
    const checked = file && newest
      ? await checkFile(newest, file.name, await file.arrayBuffer())
      : null;
    const isAltered = problems.length > 0 || checked?.isListed === false;
    const [colour, outcome] = isAltered
      ? ["bad", count(problems.length, "problem")]
      : OUTCOMES[authenticity];
    show(`notice notice-${colour}`, [
      ...problems,
      `${count(manifests, "manifest")}, ${signed} signed, newest of ${
        newest?.date ?? "no day"
      }`,
      outcome,
      ...checked ? [checked.says] : [],
    ]);
  } catch (error) {
    show("notice notice-bad", [`Cannot verify: ${error.message}`]);
  }
});

async function read(path) {
  const response = await fetch(path, { cache: "no-store" });
  if (response.status === 404) return null;
  if (!response.ok) {
    throw new Error(`${path} answers with status ${response.status}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function show(className, lines) {
  const notice = Object.assign(document.createElement("div"), { className });
  for (const line of lines) {
    notice.append(
      Object.assign(document.createElement("p"), { textContent: line }),
    );
  }
  verdict.replaceChildren(notice);
}
