/** The form that verifies the manifests of the downloads, and a downloaded file. */
import { checkChain, checkFile } from "./downloads/manifests.js";

const form = document.querySelector("#verify-downloads");
const input = document.querySelector("#file");
const verdict = document.querySelector("#verdict");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  show("notice", ["Verifying…"]);
  try {
    const { newest, manifests, signed, problems } = await checkChain(read);
    const [file] = input.files;
    const checked = file && newest
      ? await checkFile(newest, file.name, await file.arrayBuffer())
      : null;
    const isGood = problems.length === 0 && checked?.isListed !== false;
    show(`notice ${isGood ? "notice-good" : "notice-bad"}`, [
      ...problems,
      `${count(manifests, "manifest")}, ${signed} signed, ${
        count(problems.length, "problem")
      }`,
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
