/** The line that shows the values of one bucket, in place of those that the server rendered. */

/**
 * Returns `show`, which writes the values of a bucket (for null those of the newest
 * complete one), and `wordsOf`, which describes the value of one line.
 */
export function readoutOf(
  element,
  { days, lines, rings, interval, format, kind },
) {
  const number = new Intl.NumberFormat("en-US", format);
  // As formatDrawn() of the server writes an index and a share.
  const oneDecimal = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const day = element.querySelector(".readout-day");
  const values = element.querySelectorAll(".readout-value");
  const note = element.querySelector(".readout-note");
  const newest = days.findLastIndex((_, at) =>
    lines.some(({ values, incomplete }) =>
      values[at] !== null && !incomplete.includes(at)
    )
  );
  const usual = newest < 0 ? days.length - 1 : newest;

  function wordsOf({ unit, values, second, base, incomplete, inferred }, at) {
    const value = values[at];
    if (value === null) return kind === null ? "no value" : `no ${kind}`;
    const open = inferred.includes(at)
      ? ", inferred"
      : incomplete.includes(at)
      ? ", incomplete"
      : "";
    const shown = number.format(value);
    if (base !== null) {
      return `${
        oneDecimal.format(value / base * 100)
      } (${shown} ${unit})${open}`;
    }
    if (kind === null) {
      const other = second[at] === null
        ? ""
        : `, second source ${number.format(second[at])}`;
      return `${shown} ${unit}${open}${other}`;
    }
    return `${
      kind === "average" ? `${shown} ${unit}` : oneDecimal.format(value)
    }${kind === "share" ? " %" : ""}${open}`;
  }

  /** Returns the earlier values of a bucket: `Revised: was 1,200`. */
  function revisionsAt(at) {
    const found = lines.flatMap(({ label, revised }) =>
      revised.filter((revision) => revision.at === at)
        .map(({ words }) => lines.length > 1 ? `${label} ${words}` : words)
    );
    const words = found.join("; ");
    return words && (words === "revised" ? "Revised." : `Revised: ${words}.`);
  }

  function show(place) {
    const at = place ?? usual;
    day.textContent = bucketOf(days[at], interval);
    for (const [index, line] of lines.entries()) {
      values[index].textContent = wordsOf(line, at);
    }
    const disputes = rings.filter((ring) => ring.at === at)
      .map(({ words }) => words).join(" ");
    const words = [revisionsAt(at), disputes && `Disputed. ${disputes}`]
      .filter((part) => part !== "").join(" ");
    // At rest the note would cover the chart on a phone, and the mark of the bucket.
    note.hidden = place === null || words === "";
    note.textContent = words;
    note.title = words;
    note.classList.toggle("is-disputed", disputes !== "");
  }

  return { show, wordsOf };
}

function bucketOf(day, interval) {
  if (interval === "month") return day.slice(0, 7);
  return interval === "week" ? `Week of ${day}` : day;
}
