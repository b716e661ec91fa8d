/** The line that shows the values of one bucket. */

/** Returns a function that shows the values of a bucket, by default of the newest complete one. */
export function readoutOf(
  element,
  { days, lines, rings, interval, format, isIndexed },
) {
  const number = new Intl.NumberFormat("en-US", format);
  const usual = days.findLastIndex((_, at) =>
    lines.some(({ values, incomplete }) =>
      values[at] !== null && !incomplete.includes(at)
    )
  );
  const show = (place) => {
    const at = place ?? usual;
    if (at < 0) return;
    element.replaceChildren(
      span("readout-day", bucketOf(days[at], interval)),
      ...lines.map((line, index) => valueOf(line, index, at)),
      ...rings.filter((ring) => ring.at === at).map(({ words }) =>
        span("readout-disputed", `Disputed. ${words}`)
      ),
    );
  };

  function valueOf(line, index, at) {
    const { label, unit, values, base, incomplete, inferred } = line;
    const value = values[at];
    const open = inferred.includes(at)
      ? ", inferred"
      : incomplete.includes(at)
      ? ", incomplete"
      : "";
    if (!isIndexed) {
      return span(
        "readout-value",
        value === null ? "no value" : `${number.format(value)} ${unit}${open}`,
      );
    }
    const swatch = span(`swatch series-${index + 1}`, "");
    const words = value === null
      ? base === null ? "no index" : "no value"
      : `${(value / base * 100).toFixed(1)} (${number.format(value)})${open}`;
    const item = span("readout-value", "");
    item.append(swatch, ` ${label} ${words}`);
    return item;
  }

  show(null);
  return show;
}

function span(className, text) {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}

function bucketOf(day, interval) {
  if (interval === "month") return day.slice(0, 7);
  return interval === "week" ? `Week of ${day}` : day;
}
