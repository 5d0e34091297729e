// The page: a head, the source on the left, tabs on the right, keys.

function tabsNow() {
  const property = current();
  const tabs = [{ name: "Summary", make: summaryPanel }];
  const run = currentRun();
  if (run) tabs.push({ name: property.verdict === "violated" ? "Counterexample" : "Run", make: () => runPanel(run) });
  const stories = (RESULT.answers ?? []).filter((a) => a.story?.length);
  for (const answer of stories) tabs.push({ name: "Counterexample", make: () => storyPanel(answer) });
  const graphs = graphsNow();
  if (graphs.length) tabs.push({ name: graphs.length === 1 ? "Graph" : "Graphs", make: () => graphsPanel(graphs) });
  if (property.history?.length) tabs.push({ name: "Refinement", make: () => filmPanel(property.history) });
  if (property.proof) tabs.push({ name: "Proof", make: () => proofPanel(property) });
  tabs.push({ name: "Facts", make: factsPanel });
  return tabs;
}

function graphsPanel(graphs) {
  if (graphs.length === 1) {
    const one = graphPanel(graphs[0]);
    return { panel: one.panel, show: () => one.fit() };
  }
  const made = new Map();
  const room = el("div", { class: "panel flush" });
  const choose = (index) => {
    if (!made.has(index)) made.set(index, graphPanel(graphs[index]));
    room.replaceChildren(made.get(index).panel);
    made.get(index).fit();
  };
  const choice = el("select", { "aria-label": "graph", change: () => choose(Number(choice.value)) },
    graphs.map((g, index) => el("option", { value: index }, g.title)));
  return { panel: el("div", { class: "panel flush" }, el("div", { class: "bar" }, choice), room), show: () => choose(Number(choice.value)) };
}

function page() {
  const app = document.getElementById("app");
  const word = RESULT.witness ?? RESULT.verdict ?? "unknown";
  const theme = el("button", { title: "light or dark (t)", "aria-label": "light or dark", click: () => turn() }, "\u25d0");
  const turn = (to) => {
    const root = document.documentElement;
    root.dataset.theme = to ?? (root.dataset.theme === "dark" ? "light" : "dark");
  };
  turn(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const failing = PROPERTIES.findIndex((p) => p.verdict === "violated");
  const open = PROPERTIES.findIndex((p) => p.verdict === "unknown");
  state.property = Math.max(0, failing >= 0 ? failing : open);
  const choice = PROPERTIES.length > 1 && el("select", { "aria-label": "property", change: () => tell({ property: Number(choice.value), step: 0 }) },
    PROPERTIES.map((p, index) => el("option", { value: index }, (SIGNS[p.verdict] ?? "") + " " + p.name)));
  if (choice) choice.value = String(state.property);
  const source = sourceView();
  const strip = el("div", { class: "tabs", role: "tablist" });
  const room = el("div", { role: "tabpanel", class: "side-room" });
  room.style.cssText = "display:flex;flex-direction:column;flex:1;min-height:0";
  let tabs = [], made = [], at = 0;
  const select = (index) => {
    at = Math.max(0, Math.min(tabs.length - 1, index));
    made[at] ??= tabs[at].make();
    room.replaceChildren(made[at].panel);
    made[at].show();
    [...strip.children].forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
    });
  };
  const build = () => {
    const old = tabs[at]?.name;
    tabs = tabsNow();
    made = [];
    strip.replaceChildren(...tabs.map((tab, index) => el("button", { role: "tab", click: () => select(index) }, tab.name, el("kbd", null, index + 1))));
    select(Math.max(0, tabs.findIndex((tab) => tab.name === old)));
  };
  const split = el("div", { class: "split", "aria-hidden": "true" });
  split.addEventListener("pointerdown", (down) => {
    split.classList.add("moving");
    const go = (event) => { source.root.style.width = Math.max(200, Math.min(innerWidth - 320, event.clientX)) + "px"; };
    const stop = () => { removeEventListener("pointermove", go); split.classList.remove("moving"); made[at]?.show(); };
    addEventListener("pointermove", go);
    addEventListener("pointerup", stop, { once: true });
    down.preventDefault();
  });
  app.append(
    el("header", { class: "top" }, badge(word), el("h1", null, DATA.title),
      el("span", { class: "about" }, "parallax " + DATA.command + "  " + DATA.version),
      choice, theme, el("button", { title: "keys (?)", "aria-label": "keys", click: () => help() }, "?")),
    el("main", { class: "main" + (DATA.sources.length ? "" : " alone") }, source.root, split, el("div", { class: "side" }, strip, room)));
  listen((change) => {
    if ("property" in change) {
      if (choice) choice.value = String(state.property);
      build();
      const run = tabs.findIndex((tab) => tab.name === "Counterexample");
      if (at === 0 && change.open && run > 0) select(run);
    } else if ("step" in change) made[at]?.show();
  });
  build();
  const first = tabs.findIndex((tab) => tab.name === "Counterexample");
  if (failing >= 0 && first > 0) select(first);

  function help() {
    document.querySelector(".help")?.remove();
    const row = (keys, what) => [el("dt", null, keys.map((k) => [el("kbd", null, k), " "])), el("dd", null, what)];
    const box = el("div", { class: "help", role: "dialog", "aria-label": "keys", click: () => box.remove() },
      el("div", { class: "card" }, el("h2", null, "Keys"), el("dl", { class: "facts" },
        row(["\u2190", "\u2192"], "step back and forward"), row(["Home", "End"], "first and last step"),
        row(["1", "\u2026", "9"], "tabs"), row(["p"], "next property"), row(["+", "-", "0"], "zoom a graph, fit it"),
        row(["Enter"], "fold or unfold a node"), row(["t"], "light or dark"), row(["?"], "this page"))));
    document.body.append(box);
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range") return;
    if (event.target.type === "range" && event.key.startsWith("Arrow")) return;
    const run = currentRun();
    const go = {
      ArrowLeft: () => walk(-1), ArrowRight: () => walk(1),
      Home: () => run && tell({ step: 0 }), End: () => run && tell({ step: run.moments.length - 1 }),
      t: () => turn(), "?": help, Escape: () => document.querySelector(".help")?.remove(),
      p: () => PROPERTIES.length > 1 && tell({ property: (state.property + 1) % PROPERTIES.length, step: 0 }),
    }[event.key];
    if (go) { go(); event.preventDefault(); }
    else if (/^[1-9]$/.test(event.key) && Number(event.key) <= tabs.length) select(Number(event.key) - 1);
  });
}
page();
