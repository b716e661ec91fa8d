/** The form of the explorer. Every change is shown immediately. */

/** The range of chosen days. */
const OWN_DAYS = "days";

/** The last range that was not of chosen days; null before there was one. */
let rangeBefore = null;

/** Submits the form on every change. Returns the function that the chart uses to choose days. */
export function prepareForm(form, show) {
  const chains = form.ownerDocument.querySelector("#chains");
  const names = new Set(
    [...chains?.options ?? []].map(({ value }) => value),
  );

  const chainFields = [];
  const submit = () => {
    for (const field of chainFields) field.restore();
    const given = [...new FormData(form)].filter(([, value]) => value !== "");
    show(`/?${new URLSearchParams(given)}`);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("change", ({ target }) => {
    // A date is typed in parts, and "From – to" alone selects nothing. The same
    // holds for a base that is a day.
    const waits = target.type === "date"
      ? target.id !== "baseDay" || target.value === ""
      : ["days", "day"].includes(target.value) && target.name !== "interval";
    if (!waits && target.getAttribute("list") === null) submit();
  });
  for (const input of form.querySelectorAll("input[list]")) {
    chainFields.push(prepareChain(input, { names, submit }));
  }

  closeOnLeaving(form.querySelector("#options"));

  const { range } = form.elements;
  if (range.value !== OWN_DAYS) rangeBefore = range.value;
  const reset = form.closest("#explorer").querySelector("#reset-days");
  if (reset !== null && rangeBefore !== null) {
    const { pathname, search } = reset;
    const params = new URLSearchParams(search);
    params.set("range", rangeBefore);
    reset.setAttribute("href", `${pathname}?${params}`);
    reset.textContent = `Back to ${rangeBefore}`;
  }

  return {
    /** Goes back from own days to the range before them. */
    resetDays() {
      if (range.value !== OWN_DAYS) return;
      range.value = rangeBefore ?? form.dataset.usualRange;
      submit();
    },
    chooseDays(from, to) {
      range.value = OWN_DAYS;
      form.elements.from.value = from;
      form.elements.to.value = to;
      submit();
    },
  };
}

/** Closes the panel when another control gets the focus, on a press outside, and on Escape. */
function closeOnLeaving(panel) {
  panel.addEventListener("focusout", ({ relatedTarget: next }) => {
    // A press on a label focuses an element around the panel first.
    const leaves = next !== null && !panel.contains(next) &&
      !next.contains(panel);
    if (leaves) panel.open = false;
  });
  panel.closest("#explorer").addEventListener("pointerdown", ({ target }) => {
    if (!panel.contains(target)) panel.open = false;
  });
  panel.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !panel.open) return;
    panel.open = false;
    panel.querySelector("summary").focus();
  });
}

/** Shows all chains when the field gets focus, and submits as soon as one is chosen. */
function prepareChain(input, { names, submit }) {
  const chosen = input.value;
  const hint = input.placeholder;
  input.addEventListener("focus", () => {
    // The list offers only entries that match the text of the field.
    if (input.value !== chosen || chosen === "") return;
    // A mistaken text stays, so that it can be corrected.
    if (input.ariaInvalid === "true") return;
    input.placeholder = chosen;
    input.value = "";
  });
  const restore = () => {
    input.placeholder = hint;
    if (input.value.trim() === "") input.value = chosen;
  };
  input.addEventListener("blur", restore);
  input.addEventListener("input", () => {
    if (input.value !== chosen && names.has(input.value)) submit();
  });
  return { restore };
}
