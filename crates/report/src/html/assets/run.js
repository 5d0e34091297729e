// A run as a list of moments, whatever it is of: text, place, thread, and the values of all
// variables after it.

/** The run of a property; `null` if it has none. */
function runOf(property) {
  if (property.run) return runOfC(property.run);
  if (property.trace && property.trace.steps) return runOfModel(property.trace);
  if (Array.isArray(property.trace)) return runOfActions(property.trace);
  return null;
}

function moment(text, place, more) {
  return { text, place, thread: 0, depth: 0, kind: "", value: null, changed: new Map(), ...more };
}

function runOfC(run) {
  const moments = [];
  const inputs = new Map();
  for (const input of run.inputs) {
    if (input.span && (input.source === "call" || input.source === "result")) inputs.set(input.span.start.offset + ":" + input.span.file, input);
  }
  for (const step of run.steps) {
    const changed = new Map();
    if (step.stored && step.value !== null) changed.set(step.stored, step.value);
    const isInput = step.span && inputs.has(step.span.start.offset + ":" + step.span.file);
    const isBranch = step.branch === true || step.branch === false;
    const text = isBranch ? (snippet(step.span) || step.text) + "  \u2192 " + step.branch : step.text;
    const isSaid = step.value === null || text.endsWith("= " + step.value);
    moments.push(moment(text, spanPlace(step.span), {
      thread: step.thread ?? 0, depth: step.depth, kind: isInput ? "input" : "",
      value: isSaid ? null : step.value, changed, scope: step.function,
    }));
  }
  moments.push(moment(run.text, spanPlace(run.span), { kind: "end", thread: moments.at(-1)?.thread ?? 0 }));
  return finished(moments, { note: plural(run.step_count, "step") + " of the program, " + plural(run.steps.length, "step") + " that matter" });
}

const valueText = (value) => typeof value === "string" ? value : JSON.stringify(value);

function runOfModel(trace) {
  const entries = (object) => new Map(Object.entries(object).map(([k, v]) => [k, valueText(v)]));
  const moments = [moment("initial state", null, { changed: entries(trace.initial), kind: "input" })];
  trace.steps.forEach((step, index) => {
    const names = step.transition.split(".")[0];
    moments.push(moment(step.transition, spanPlace(step.span), {
      changed: entries(step.changes), kind: index === trace.cycle ? "cycle" : "", lane: names,
    }));
  });
  const lanes = [...new Set(moments.map((m) => m.lane).filter((lane) => lane && !lane.includes("|")))];
  if (lanes.length > 1 && lanes.length <= 6) {
    for (const m of moments) m.thread = Math.max(0, lanes.indexOf(m.lane));
  }
  const cycle = trace.cycle;
  const note = cycle === undefined ? plural(trace.steps.length, "step")
    : cycle === trace.steps.length ? "the run ends and stays in its last state"
    : "from step " + (cycle + 1) + " on for ever";
  return finished(moments, { lanes: lanes.length > 1 && lanes.length <= 6 ? lanes : [], note });
}

function runOfActions(actions) {
  return finished(actions.map((action) => moment(action, null)), { note: plural(actions.length, "action") });
}

/** Adds the values of all variables after each moment. */
function finished(moments, more) {
  let values = new Map();
  for (const m of moments) {
    if (m.changed.size) {
      values = new Map(values);
      for (const [name, value] of m.changed) values.set(name, value);
    }
    m.values = values;
  }
  const threads = [...new Set(moments.map((m) => m.thread))].sort((a, b) => a - b);
  const lanes = more.lanes?.length ? more.lanes : threads.length > 1 ? threads.map((t) => t === 0 ? "main" : "thread " + t) : [];
  return { moments, lanes, note: more.note, threads };
}

/** The view of a run: steps, forward and back, values beside them. */
function runPanel(run) {
  const list = el("ol", { class: run.lanes.length ? "steps grid" : "steps", "aria-label": "steps" });
  const rows = [];
  if (run.lanes.length) {
    list.style.gridTemplateColumns = "repeat(" + run.lanes.length + ", minmax(150px, 1fr))";
    for (const lane of run.lanes) list.append(el("li", { class: "column" }, lane));
  }
  run.moments.forEach((m, index) => {
    const row = el("li", { class: m.kind, click: () => tell({ step: index }) },
      el("span", { class: "index" }, index),
      el("span", { class: "what" }, "  ".repeat(Math.min(m.depth, 12)), m.text,
        m.value !== null && m.value !== undefined && el("span", { class: "value" }, "  = " + m.value)),
      el("span", { class: "where" }, shownPlace(m.place)));
    if (run.lanes.length) {
      row.title = shownPlace(m.place);
      row.style.gridRow = String(index + 2);
      row.style.gridColumn = String(Math.max(0, run.threads.indexOf(m.thread)) + 1);
      if (run.lanes.length > 1 && run.threads.length !== run.lanes.length) row.style.gridColumn = String(m.thread + 1);
    }
    rows.push(row);
    list.append(row);
  });
  const last = run.moments.length - 1;
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "step", input: () => tell({ step: Number(slider.value) }) });
  const count = el("span", { class: "count", "aria-live": "polite" });
  const body = el("tbody");
  const values = el("div", { class: "values" },
    el("table", { "aria-label": "values" }, el("thead", null, el("tr", null, el("th", null, "variable"), el("th", null, "before"), el("th", null, "value"))), body));
  const panel = el("div", { class: "panel flush" },
    el("div", { class: "bar" },
      el("button", { title: "first step (Home)", "aria-label": "first step", click: () => tell({ step: 0 }) }, "\u21e4"),
      el("button", { title: "back (\u2190)", "aria-label": "step back", click: () => walk(-1) }, "\u2190"),
      el("button", { title: "forward (\u2192)", "aria-label": "step forward", click: () => walk(1) }, "\u2192"),
      el("button", { title: "last step (End)", "aria-label": "last step", click: () => tell({ step: last }) }, "\u21e5"),
      slider, count),
    el("div", { class: "two" }, list, values),
    el("div", { class: "legend" }, run.note));
  const show = () => {
    const at = Math.min(state.step, last);
    const m = run.moments[at];
    rows.forEach((row, index) => row.setAttribute("aria-current", String(index === at)));
    rows[at]?.scrollIntoView({ block: "nearest" });
    slider.value = String(at);
    count.textContent = at + " of " + last;
    const before = at > 0 ? run.moments[at - 1].values : new Map();
    body.replaceChildren(...[...m.values].map(([name, value]) =>
      el("tr", { class: m.changed.has(name) ? "changed" : null },
        el("td", { class: "mono" }, name),
        el("td", { class: "mono before" }, m.changed.has(name) ? before.get(name) ?? "" : ""),
        el("td", { class: "mono" }, value))));
  };
  show();
  return { panel, show };
}

function currentRun() {
  const property = current();
  if (property.cachedRun === undefined) property.cachedRun = runOf(property);
  return property.cachedRun;
}

function walk(by) {
  const run = currentRun();
  if (run) tell({ step: Math.max(0, Math.min(run.moments.length - 1, state.step + by)) });
}
