/** The line that shows the values of one bucket, in place of those that the server rendered. */

/** Returns a function that shows the values of a bucket, by default of the newest complete one. */
export function readoutOf(
  element,
  { days, lines, rings, interval, format, kind },
) {
  const number = new Intl.NumberFormat("en-US", format);
  const day = element.querySelector(".readout-day");
  const values = element.querySelectorAll(".readout-value");
  const disputed = element.querySelector(".readout-disputed");
  const newest = days.findLastIndex((_, at) =>
    lines.some(({ values, incomplete }) =>
      values[at] !== null && !incomplete.includes(at)
    )
  );
  const usual = newest < 0 ? days.length - 1 : newest;

  function wordsOf({ unit, values, base, incomplete, inferred }, at) {
    const value = values[at];
    if (value === null) return kind === null ? "no value" : `no ${kind}`;
    const open = inferred.includes(at)
      ? ", inferred"
      : incomplete.includes(at)
      ? ", incomplete"
      : "";
    const shown = number.format(value);
    if (base !== null) {
      return `${(value / base * 100).toFixed(1)} (${shown})${open}`;
    }
    if (kind === null) return `${shown} ${unit}${open}`;
    return `${kind === "average" ? `${shown} ${unit}` : value.toFixed(1)}${
      kind === "share" ? " %" : ""
    }${open}`;
  }

  return (place) => {
    const at = place ?? usual;
    day.textContent = bucketOf(days[at], interval);
    for (const [index, line] of lines.entries()) {
      values[index].textContent = wordsOf(line, at);
    }
    const words = rings.filter((ring) => ring.at === at)
      .map((ring) => ring.words).join(" ");
    disputed.hidden = words === "";
    disputed.textContent = words && `Disputed. ${words}`;
    disputed.title = words;
  };
}

function bucketOf(day, interval) {
  if (interval === "month") return day.slice(0, 7);
  return interval === "week" ? `Week of ${day}` : day;
}
