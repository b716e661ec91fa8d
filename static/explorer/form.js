/** The form of the explorer: a choice is shown at once. */

/** Makes a form ask for the URL of its choices; returns what else may choose. */
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
    // Days are typed in parts, and there is nothing to show for "From – to" by itself.
    const waits = target.type === "date" || target.value === "days";
    if (!waits && target.getAttribute("list") === null) submit();
  });
  for (const input of form.querySelectorAll("input[list]")) {
    chainFields.push(prepareChain(input, { names, submit }));
  }

  return {
    chooseDays(from, to) {
      form.elements.range.value = "days";
      form.elements.from.value = from;
      form.elements.to.value = to;
      submit();
    },
  };
}

/** Offers every chain to whoever enters the field, and shows one as soon as it is chosen. */
function prepareChain(input, { names, submit }) {
  const chosen = input.value;
  const hint = input.placeholder;
  input.addEventListener("focus", () => {
    // What stands in a field narrows what its list offers.
    if (input.value !== chosen || chosen === "") return;
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
