/** The content of a page as lines of text, to compare with what a test expects. */

/** Elements that stand within a line. Others start a line of their own. */
const WITHIN =
  /^(a|bdi|br|code|em|i|mark|q|small|span|strong|sub|sup|time|wbr)$/;

/** Elements that are not read as text. */
const OPAQUE = /<(script|style|svg)\b[\s\S]*?<\/\1>/g;

/** Attributes that change what a visitor sees, hears or sends. */
const TOLD = [
  "aria-current",
  "aria-invalid",
  "aria-pressed",
  "checked",
  "colspan",
  "data-once",
  "data-retry-seconds",
  "datetime",
  "disabled",
  "hidden",
  "href",
  "max",
  "name",
  "open",
  "rowspan",
  "selected",
  "src",
  "value",
];

/**
 * Returns the lines of a page: the element, the attributes that matter, and the
 * text. Cells of a row are parted by "|". Elements without text and attributes
 * are left out. Classes that match `classes` are shown as `.class`.
 */
export function outlineOf(page: string, classes = /^$/): string[] {
  const lines: string[] = [];
  let line = "";
  let text = "";
  let isInCell = false;
  function end(): void {
    const words = unescape(text).replace(/\s+/g, " ").trim()
      .replace(/^\| /, "");
    if (words !== "" || /[[.]|^progress/.test(line)) {
      lines.push(`${line.trim()} ${words}`.trim());
    }
    line = "";
    text = "";
  }
  const parts = page.replace(OPAQUE, "")
    .matchAll(/<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+/gi);
  for (const [whole, close, name, attributes] of parts) {
    if (name === undefined) text += whole.startsWith("<!") ? "" : whole;
    else if (name === "td" || name === "th") {
      isInCell = !close;
      if (!close) text += ` | ${describe(attributes!, classes)} `;
    } else if (!isInCell && !WITHIN.test(name)) {
      end();
      if (!close) line = name + describe(attributes!, classes);
    } else if (!close) {
      text += name === "br" ? " / " : describe(attributes!, classes);
    }
  }
  end();
  return lines;
}

function describe(attributes: string, classes: RegExp): string {
  const given = [...attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)];
  const shown = given.flatMap(([, name, value]) =>
    TOLD.includes(name!) ? [value ? `${name}=${value}` : name!] : []
  );
  const marks = given.flatMap(([, name, value]) =>
    name === "class"
      ? value!.split(/\s+/).filter((one) => classes.test(one)).map((one) =>
        `.${one}`
      )
      : []
  );
  if (shown.length > 0) return `${marks.join("")}[${shown.join(" ")}]`;
  return marks.length > 0 ? `${marks.join("")} ` : "";
}

/** Replaces the escapes of HTML with their characters. */
export const unescape = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
