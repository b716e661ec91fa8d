/** The line that shows the values of one bucket, in place of those that the server rendered. */

/** Returns a function that shows the values of a bucket, by default of the newest complete one. */
export function readoutOf(
  element,
  { days, lines, rings, interval, format, isIndexed },
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
    if (isIndexed && base === null) return "no index";
    const value = values[at];
    if (value === null) return "no value";
    const open = inferred.includes(at)
      ? ", inferred"
      : incomplete.includes(at)
      ? ", incomplete"
      : "";
    return isIndexed
      ? `${(value / base * 100).toFixed(1)} (${number.format(value)})${open}`
      : `${number.format(value)} ${unit}${open}`;
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
