// The source: invariants under their lines, the lines of a run, where it is now.

const KEYWORDS = /^(?:auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|_Bool|model|var|process|when|initial|invariant|reachable|unreachable|deadlock_free|ltl|true|false|loc|init|property|assert|progress|menu|forall|exists|in|of|action|atomic|bool|real|location|final)$/;

/** A line with its words told apart. Comments over several lines are left plain. */
function coloured(line) {
  const parts = [];
  const pattern = /(\/\/.*|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(\d[\w.]*)\b|([A-Za-z_]\w*)/g;
  let at = 0;
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    const [text, comment, string, number, word] = found;
    const kind = comment ? "c" : string ? "s" : number ? "n" : word && KEYWORDS.test(word) ? "k" : null;
    if (!kind) continue;
    parts.push(line.slice(at, found.index), el("span", { class: kind }, text));
    at = found.index + text.length;
  }
  parts.push(line.slice(at));
  return parts;
}

function sourceView() {
  const root = el("div", { class: "source", "aria-label": "source" });
  if (!DATA.sources.length) return { root, show() {} };
  let file = DATA.sources[0].name;
  const code = el("div", { class: "code", tabindex: 0, role: "region", "aria-label": "source text" });
  const choice = el("select", { "aria-label": "file", change: () => { file = choice.value; draw(); } },
    DATA.sources.map((s) => el("option", { value: s.name }, s.name)));
  const marks = el("span", { class: "count" });
  root.append(el("div", { class: "bar" }, choice, marks), code);
  let rows = [];

  function draw() {
    const text = DATA.sources.find((s) => s.name === file)?.text ?? "";
    const property = current();
    const run = currentRun();
    const ran = new Set(), wrong = new Set(), why = new Set();
    for (const m of run?.moments ?? []) if (m.place?.file === file) ran.add(m.place.line);
    const end = run?.moments.at(-1);
    if (property.run && end?.place?.file === file) wrong.add(end.place.line);
    const reason = spanPlace(property.reason?.span);
    if (reason?.file === file) why.add(reason.line);
    const notes = new Map();
    const add = (line, note) => notes.set(line, [...(notes.get(line) ?? []), note]);
    for (const known of DATA.invariants) {
      if (known.file === file && (known.property === null || known.property === property.name)) {
        add(known.line, el("div", { class: "note" }, el("span", { class: "who" }, "always"), el("span", null, known.text)));
      }
    }
    if (reason?.file === file) add(reason.line, el("div", { class: "note open" }, property.reason.text));
    if (property.run && end?.place?.file === file) add(end.place.line, el("div", { class: "note bad" }, property.run.text));
    rows = [];
    const all = document.createDocumentFragment();
    text.split("\n").forEach((line, index) => {
      const number = index + 1;
      const row = el("div", { class: "row", "data-line": number },
        el("button", { class: "number", tabindex: -1, title: "show in the graph", click: () => goTo({ file, line: number }) }, number),
        el("span", { class: "text" }, coloured(line)));
      row.classList.toggle("ran", ran.has(number));
      row.classList.toggle("wrong", wrong.has(number));
      row.classList.toggle("why", why.has(number));
      rows.push(row);
      all.append(row, ...(notes.get(number) ?? []));
    });
    code.replaceChildren(all);
    const parts = [];
    const count = DATA.invariants.filter((known) => known.file === file).length;
    if (count) parts.push(plural(count, "invariant"));
    if (ran.size) parts.push(plural(ran.size, "line") + " of the run");
    marks.textContent = parts.join(", ");
    place();
  }

  /** Marks the line of the step, or the one that was chosen. */
  function place(change) {
    for (const row of rows) row.classList.remove("now", "picked");
    for (const old of code.querySelectorAll(".note.value")) old.remove();
    const run = currentRun();
    const step = run?.moments[Math.min(state.step, run.moments.length - 1)];
    const at = change && "line" in change ? state.line : step?.place;
    if (step?.place && step.place.file === file) {
      const row = rows[step.place.line - 1];
      row?.classList.add("now");
      if (row && step.changed.size && step.changed.size <= 6) {
        row.after(el("div", { class: "note value" }, [...step.changed].map(([k, v]) => k + " = " + v).join("   ")));
      }
    }
    if (!at) return;
    if (at.file !== file && DATA.sources.some((s) => s.name === at.file)) {
      file = at.file;
      choice.value = file;
      draw();
      return;
    }
    if (at.file !== file) return;
    const row = rows[at.line - 1];
    if (change && "line" in change) row?.classList.add("picked");
    if (row) {
      const top = row.offsetTop - code.offsetTop;
      if (top < code.scrollTop + 40 || top > code.scrollTop + code.clientHeight - 80) code.scrollTop = top - code.clientHeight / 3;
    }
  }
  listen((change) => ("property" in change ? draw() : place(change)));
  draw();
  return { root, show: place };
}
