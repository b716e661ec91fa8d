/**
 * Tabs by the pattern of the ARIA Authoring Practices. The sections of a
 * `.tabs` element are shown one at a time; their headings become the tabs.
 */

let lastId = 0;

activateTabs(document);

/** Activates the tabs in a part of the page. */
export function activateTabs(part) {
  part.querySelectorAll(".tabs").forEach(activate);
}

function activate(group) {
  const panels = [...group.querySelectorAll(":scope > section")];
  const list = document.createElement("div");
  list.className = "tab-list";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", group.dataset.label ?? "Alternatives");
  const tabs = panels.map((panel) => {
    const heading = panel.firstElementChild;
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = heading.textContent;
    tab.id = `tab-${++lastId}`;
    panel.id ||= `panel-${lastId}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    heading.hidden = true;
    tab.addEventListener("click", () => select(tab));
    list.append(tab);
    return tab;
  });
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    // With Alt, for one, an arrow is the browser's way back.
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey &&
      !event.shiftKey;
    if (to === undefined || !isPlain) return;
    event.preventDefault();
    select(tabs[to]);
    tabs[to].focus();
  });
  group.prepend(list);
  group.classList.add("is-ready");
  select(tabs[0]);

  function select(chosen) {
    tabs.forEach((tab, index) => {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panels[index].hidden = !isChosen;
    });
  }
}
