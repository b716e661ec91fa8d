/** Elements of the page: found by id, or created. */
/**
 * Returns the element with an id. Throws if it is absent or of another type.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [type]
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof (type ?? HTMLElement))) {
    throw new Error(`Cannot find #${id}`);
  }
  return /** @type {T} */ (found);
}

/**
 * Creates an element with properties and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, children = []) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string | number>>} [attributes]
 * @param {readonly (Node | string)[]} [children]
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function draw(tag, attributes = {}, children = []) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Fills a table. The first cell of each row is its header.
 * @param {HTMLTableElement} table
 * @param {readonly string[]} headings
 * @param {readonly (readonly (Node | string)[])[]} rows
 */
export function fillTable(table, headings, rows) {
  const head = headings.map((text) =>
    make("th", { scope: "col", textContent: text })
  );
  const body = rows.map(([first = "", ...rest]) =>
    make("tr", {}, [
      make("th", { scope: "row" }, [first]),
      ...rest.map((cell, at) => {
        const place = make("td", {}, [cell]);
        // Above the value where each row is a card.
        place.dataset["name"] = headings[at + 1] ?? "";
        return place;
      }),
    ])
  );
  table.replaceChildren(
    make("thead", {}, [make("tr", {}, head)]),
    make("tbody", {}, body),
  );
}

/** @typedef {readonly [term: string, value: Node | string]} Fact */

/**
 * Creates the terms and values of a description list.
 * @param {readonly Fact[]} facts
 */
export function listFacts(facts) {
  return facts.flatMap(([term, value]) => [
    make("dt", { textContent: term }),
    make("dd", {}, [value]),
  ]);
}

const INSTANT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/**
 * Creates a time element of an ISO 8601 day, in words.
 * @param {string} day
 */
export function dayOf(day) {
  const textContent = DAY.format(new Date(day));
  return make("time", { dateTime: day, textContent });
}

/**
 * Creates a time element of an ISO 8601 instant, in words and in UTC.
 * @param {string} instant
 */
export function timeOf(instant) {
  const textContent = `${INSTANT.format(new Date(instant))} UTC`;
  return make("time", { dateTime: instant, textContent });
}

/**
 * Shortens an address or a hash for display.
 * @param {string} hex
 */
export function shorten(hex) {
  return `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/**
 * Formats an amount in base units (6 decimals) as USDC, with two decimals, or
 * with six if the last four are not zero. Works on digits, so it is exact.
 * @param {string} amount
 */
export function formatUsdc(amount) {
  const digits = amount.padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0000$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}

/**
 * Separates the thousands of an amount such as 1000.00: "1,000.00".
 * @param {string} amount
 */
export function groupDigits(amount) {
  return amount.replace(
    /^\d+/,
    (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","),
  );
}

/**
 * Writes an amount such as 1000.00 for a reader: "1,000.00 USDC".
 * @param {string} amount
 */
export function showUsdc(amount) {
  return `${groupDigits(amount)} USDC`;
}
