/** Sends the requests of the reference. A key goes into a header, never into an address. */

/** Longest part of an answer that is shown, in characters. */
const MAX_SHOWN = 20_000;

/** What a key looks like. */
const KEY = /firn_(?:live|test)_/;

for (const form of document.querySelectorAll(".try-it form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}

async function send(form) {
  const status = form.querySelector("[role=status]");
  const shown = form.querySelector("pre");
  const request = requestOf(form);
  shown.hidden = true;
  if (request === null) {
    status.textContent =
      "This looks like an API key in another field. Nothing was sent.";
    return;
  }
  status.textContent = "Sending…";
  const since = performance.now();
  try {
    const response = await fetch(request.url, request.options);
    const bytes = await response.arrayBuffer();
    const ms = Math.round(performance.now() - since);
    status.textContent = `Status ${response.status} after ${ms} ms, ${
      bytes.byteLength.toLocaleString("en")
    } bytes`;
    shown.textContent = textOf(response, bytes);
    shown.hidden = false;
  } catch {
    status.textContent = "Firn is unreachable. Check your connection.";
  }
}

/** Returns the request that a form describes; null if a key stands where it would get into an address. */
function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  let body;
  for (const field of form.querySelectorAll("[data-in]")) {
    const { in: place, name, list } = field.dataset;
    const value = field.value.trim();
    if (place === "key") headers["X-Api-Key"] = value;
    else if (KEY.test(value)) return null;
    else if (place === "body") body = value;
    else if (value === "") continue;
    else if (place === "path") {
      path = path.replace(`{${name}}`, encodeURIComponent(value));
    } else if (place === "header") headers[name] = value;
    else {
      const values = list === undefined ? [value] : value.split(",");
      values.forEach((one) => query.append(name, one.trim()));
    }
  }
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const { method } = form.dataset;
  return {
    url: query.size === 0 ? path : `${path}?${query}`,
    options: {
      method,
      headers,
      credentials: "omit",
      cache: "no-store",
      ...body === undefined ? {} : { body },
    },
  };
}

function textOf(response, bytes) {
  const type = response.headers.get("Content-Type") ?? "";
  if (!/json|text|xml|csv/.test(type)) return type || "No body";
  const text = new TextDecoder().decode(bytes);
  const whole = /json\b/.test(type) && !/ndjson/.test(type)
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text;
  return whole.length <= MAX_SHOWN
    ? whole
    : `${whole.slice(0, MAX_SHOWN)}\n… ${
      whole.length - MAX_SHOWN
    } more characters`;
}
