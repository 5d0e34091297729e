// What is said in words: verdicts, refinement, proofs, facts.

function propertyCard(property, index) {
  const evidence = property.evidence;
  const reason = typeof property.reason === "string" ? { text: property.reason } : property.reason;
  const by = evidence?.checked_by ?? property.checked_by ?? [];
  return el("div", {
    class: "card" + (index === state.property ? " active" : ""), tabindex: 0, role: "button",
    click: () => tell({ property: index, step: 0 }),
    keydown: (event) => { if (event.key === "Enter") tell({ property: index, step: 0 }); },
  },
  el("div", { class: "head" }, badge(property.verdict), el("span", { class: "name" }, property.formula ?? property.name),
    el("span", { class: "right" }, property.engine && property.engine !== "none" ? "by " + property.engine : "",
      property.stats?.time_s !== undefined ? "  " + property.stats.time_s.toFixed(2) + " s" : "")),
  property.target && el("p", { class: "soft" }, property.kind === "reachable" ? "wanted: " : "never: ", el("code", null, property.target)),
  evidence && (typeof evidence === "string"
    ? el("p", null, evidence)
    : el("p", null, evidence.summary, by.length > 0 && el("span", { class: "soft" }, ", accepted by " + by.join(" and ")))),
  !evidence && by.length > 0 && el("p", { class: "soft" }, "accepted by " + by.join(" and ")),
  property.run && el("p", null, property.run.text),
  reason?.text && el("p", null, el("strong", null, "In the way: "), reason.text,
    spanPlace(reason.span) && el("span", { class: "soft" }, " at " + shownPlace(spanPlace(reason.span)))),
  reason?.hint && el("p", null, el("strong", null, "Try: "), reason.hint),
  property.verdict === "unknown" && wayOff(property),
  property.assumes?.length > 0 && el("p", { class: "soft" }, "takes for granted: " + property.assumes.join(", ")),
  property.trusts?.length > 0 && el("p", { class: "soft" }, "trusts: " + property.trusts.join(", ")),
  property.contracts?.length > 0 && el("ul", { class: "plain" }, property.contracts.map((c) => el("li", { class: "mono" }, c))));
}

/** How far the search for an open property was. */
function wayOff(property) {
  const s = property.stats ?? {};
  const found = DATA.invariants.filter((known) => known.property === property.name || known.property === null);
  const parts = [
    s.iterations > 0 && plural(s.iterations, "round"), s.predicates > 0 && plural(s.predicates, "predicate"),
    s.states > 0 && plural(s.states, "state"), s.solver_queries > 0 && plural(s.solver_queries, "query").replace(/ys$/, "ies"),
  ].filter(Boolean);
  const last = property.history?.at(-1);
  return [
    parts.length > 0 && el("p", { class: "soft" }, "looked at " + parts.join(", ")),
    last?.reason && el("p", { class: "soft" }, "last: " + last.reason),
    found.length > 0 && el("p", null, el("strong", null, "Known so far: "), plural(found.length, "invariant") + ", in the source"),
  ];
}

function summaryPanel() {
  const stats = RESULT.stats ?? {};
  const facts = Object.entries(stats).filter(([, v]) => v).map(([k, v]) => {
    const shown = k === "time_s" || k === "doubt_s" ? Number(v).toFixed(2) + " s" : k.endsWith("_bytes") ? Math.round(v / 1e6) + " MB" : String(v);
    return [el("dt", null, k.replace(/_s$|_bytes$/, "").replaceAll("_", " ")), el("dd", null, shown)];
  });
  const cards = el("div");
  const draw = () => cards.replaceChildren(...PROPERTIES.map(propertyCard));
  const counts = ["violated", "unknown", "holds"].map((word) => [word, PROPERTIES.filter((p) => p.verdict === word).length]).filter(([, n]) => n);
  draw();
  const errors = (RESULT.diagnostics ?? []).map((d) => el("div", { class: "card", click: () => goTo(spanPlace(d.labels[0])) },
    el("div", { class: "head" }, badge("error"), el("span", { class: "name" }, d.code)), el("p", null, d.message), d.help && el("p", { class: "soft" }, "help: " + d.help)));
  const panel = el("div", { class: "panel" },
    RESULT.why && el("div", { class: "card" }, el("div", { class: "head" }, badge(RESULT.witness), el("span", { class: "name" }, "witness of " + RESULT.claim)), el("p", null, RESULT.why)),
    errors,
    PROPERTIES.length === 0 && RESULT.verdict === "unknown" && !RESULT.why && el("div", { class: "card" },
      el("div", { class: "head" }, badge("unknown")), el("p", null, "The limits were reached before it was known what is asked.")),
    PROPERTIES.length > 0 && el("h2", null, counts.map(([word, n]) => n + " " + word).join(", ")), cards,
    RESULT.next && [el("h2", null, "Next"), el("div", { class: "next" }, el("code", null, RESULT.next), navigator.clipboard && el("button", { click: (e) => { e.stopPropagation(); navigator.clipboard.writeText(RESULT.next); } }, "copy"))],
    RESULT.assumptions?.length > 0 && [el("h2", null, "What the answers rest on besides the evidence"), el("ul", { class: "plain" }, RESULT.assumptions.map((a) => el("li", null, a)))],
    facts.length > 0 && [el("h2", null, "Figures"), el("dl", { class: "facts" }, facts)]);
  listen((change) => { if ("property" in change) draw(); });
  return { panel, show() {} };
}

/** The film of refinement: a bar for each round, its path, what was found. */
function filmPanel(rounds) {
  let at = rounds.length - 1;
  const most = Math.max(1, ...rounds.map((r) => r.abstract_states));
  const frames = rounds.map((round, index) => el("button", {
    title: "round " + round.iteration, "aria-label": "round " + round.iteration, click: () => { at = index; show(); },
  }));
  frames.forEach((frame, index) => { frame.style.height = 6 + 66 * rounds[index].abstract_states / most + "px"; });
  const body = el("div");
  const slider = el("input", { type: "range", min: 0, max: rounds.length - 1, "aria-label": "round", input: () => { at = Number(slider.value); show(); } });
  const count = el("span", { class: "count" });
  const step = (by) => { at = Math.max(0, Math.min(rounds.length - 1, at + by)); show(); };
  let timer = null;
  const play = el("button", { click: () => {
    if (timer) { clearInterval(timer); timer = null; play.textContent = "play"; return; }
    if (at === rounds.length - 1) at = -1;
    play.textContent = "stop";
    timer = setInterval(() => { step(1); if (at === rounds.length - 1) { clearInterval(timer); timer = null; play.textContent = "play"; } }, 800);
  } }, "play");
  const chip = (name, more) => {
    const place = placeOf(name);
    return el(place ? "button" : "span", { class: "chip " + (more ?? ""), title: place && shownPlace(place), click: place ? () => goTo(place) : null }, place ? name + "  " + shownPlace(place) : name);
  };
  function show() {
    const round = rounds[at];
    frames.forEach((frame, index) => frame.setAttribute("aria-current", String(index === at)));
    slider.value = String(at);
    count.textContent = "round " + round.iteration + " of " + rounds.at(-1).iteration;
    const path = round.path;
    const parts = [];
    if (path) {
      parts.push(chip(path.start));
      path.steps.forEach((s, index) => {
        if (path.omitted?.after === index) parts.push(el("span", { class: "arrow" }, "\u2026 " + plural(path.omitted.steps, "step") + " \u2026"));
        const number = index + 1 + (path.omitted && index >= path.omitted.after ? path.omitted.steps : 0);
        parts.push(el("span", { class: "arrow" }, "\u2192"), chip(s.to, number === path.infeasible_at ? "cut" : number > path.infeasible_at ? "gone" : ""));
      });
      if (path.infeasible_at > path.steps.length + (path.omitted?.steps ?? 0)) parts.push(el("span", { class: "arrow" }, "\u2192"), el("span", { class: "chip cut" }, "the target"));
    }
    const before = new Set(at > 0 ? rounds[at - 1].predicates : []);
    body.replaceChildren(el("div", null,
      el("h2", null, "Round " + round.iteration), el("p", null, round.reason),
      path ? [el("h2", null, "The path that is no run"), el("div", { class: "chips" }, parts)] : "",
      path?.tracked.length ? el("div", null, el("h2", null, "Tracked from now on (" + path.method + ")"),
        el("table", null, el("tbody", null, path.tracked.map((t) => el("tr", null, el("td", { class: "mono" }, t.predicate), el("td", null, chip(t.at))))))) : "",
      round.predicates.length ? el("div", null, el("h2", null, plural(round.predicates.length, "predicate")),
        el("div", { class: "chips" }, round.predicates.map((p) => el("span", { class: "chip" + (before.has(p) ? "" : " new") }, p)))) : "",
      el("p", { class: "soft" }, plural(round.abstract_states, "abstract state") + ", " + plural(round.states, "state"))));
  }
  show();
  const panel = el("div", { class: "panel flush" },
    el("div", { class: "bar" }, el("button", { "aria-label": "round before", click: () => step(-1) }, "\u2190"), el("button", { "aria-label": "next round", click: () => step(1) }, "\u2192"), play, slider, count),
    el("div", { class: "panel" }, el("div", { class: "film", role: "group", "aria-label": "rounds" }, frames), body));
  return { panel, show() {} };
}

/** The certificate, written out. */
function proofPanel(property) {
  const proof = property.proof;
  const region = (r) => {
    const where = Object.entries(r.fixed).filter(([k]) => k.endsWith("@")).map(([k, v]) => k + v).join(", ");
    const values = Object.entries(r.fixed).filter(([k]) => !k.endsWith("@")).map(([k, v]) => k + " = " + valueText(v));
    const place = placeOf(where);
    const facts = [...values, ...r.formulas];
    return el("tr", null, el("td", null, place ? el("button", { class: "chip", click: () => goTo(place) }, where + "  " + shownPlace(place)) : el("span", { class: "chip" }, where || "anywhere")),
      el("td", { class: "mono" }, facts.length ? facts.join("\n&& ").split("\n").map((line) => el("div", null, line)) : "true"));
  };
  const table = (list, one, title, about) => list?.length > 0 && [el("h2", null, title), about && el("p", { class: "soft" }, about),
    el("table", null, el("tbody", null, list.slice(0, 500).map(one))), list.length > 500 && el("p", { class: "soft" }, list.length - 500 + " more are in the facts")];
  const invariants = DATA.invariants.filter((known) => known.property === property.name || known.property === null);
  const state = (s) => el("tr", null, el("td", { class: "mono" }, Object.entries(s).map(([k, v]) => k + " = " + valueText(v)).join(",  ")));
  return { show() {}, panel: el("div", { class: "panel" },
    el("p", null, property.evidence.summary, el("span", { class: "soft" }, ", accepted by " + property.evidence.checked_by.join(" and "))),
    table(invariants, (known) => el("tr", null, el("td", null, el("button", { class: "chip", click: () => goTo(known) }, shownPlace(known))), el("td", { class: "mono" }, known.text)), "Invariants in the source", "true whenever a run is there"),
    proof.predicates.length > 0 && [el("h2", null, plural(proof.predicates.length, "predicate")), el("div", { class: "chips" }, proof.predicates.map((p) => el("span", { class: "chip" }, p)))],
    table(proof.points, state, plural(proof.points.length, "state"), "each was reached and looked at"),
    table(proof.prefix, region, "Symbolic states that runs pass through"),
    table(proof.fragment, region, "States that no run leaves", "closed under every step, and none of them is a target"),
    proof.descent && table(proof.descent, (d) => el("tr", null, el("td", { class: "mono" }, [...Object.entries(d.region.fixed).map(([k, v]) => k + " = " + valueText(v)), ...d.region.formulas].join(" && ")), el("td", { class: "mono" }, "falls: " + d.measure.join(", "))), "What falls"),
    proof.tree && el("p", { class: "soft" }, "a tree of " + plural(proof.tree.length, "step") + " holds all runs")) };
}

/** Any data as a tree that opens. */
function tree(value, key, depth) {
  const name = key === null ? null : el("span", { class: "key" }, key, ": ");
  if (value === null || typeof value !== "object") {
    return el("div", null, name, el("span", { class: typeof value === "string" ? "str" : "num" }, typeof value === "string" ? value : String(value)));
  }
  const entries = Object.entries(value);
  const inner = el("div");
  let filled = false;
  const open = () => {
    if (filled) return;
    filled = true;
    inner.append(...entries.slice(0, 1000).map(([k, v]) => tree(v, k, depth + 1)));
    if (entries.length > 1000) inner.append(el("div", { class: "soft" }, entries.length - 1000 + " more"));
  };
  const node = el("details", { toggle: open }, el("summary", null, name, el("span", { class: "soft" }, Array.isArray(value) ? "[" + entries.length + "]" : "{" + entries.length + "}")), inner);
  if (depth < 1) { node.open = true; open(); }
  return node;
}
const factsPanel = () => ({ panel: el("div", { class: "panel tree" }, tree(RESULT, null, 0)), show() {} });

/** A counterexample of a comparison: what each procedure does, side by side. */
function storyPanel(answer) {
  const stories = answer.story ?? [];
  const table = el("table", null,
    el("thead", null, el("tr", null, el("th", null, "node"), stories.map((s) => el("th", null, s.procedure)))),
    el("tbody"));
  const nodes = [...new Set(stories.flatMap((s) => s.steps.map((step) => step.node)))].sort((a, b) => a - b);
  for (const node of nodes) {
    const row = el("tr", { tabindex: 0 }, el("td", { class: "soft" }, node));
    for (const s of stories) {
      row.append(el("td", null, s.steps.filter((step) => step.node === node).map((step) => {
        const [, file, line] = /^(.*):(\d+):\d+$/.exec(step.place ?? "") ?? [];
        return el("div", null, el("button", { class: "chip new", click: () => file && goTo({ file, line: Number(line) }) }, step.action),
          step.values.length > 0 && el("span", { class: "mono soft" }, "  " + step.values.map(([k, v]) => k + " = " + v).join(", ")),
          step.line && el("div", { class: "mono soft" }, step.line));
      })));
    }
    table.tBodies[0].append(row);
  }
  return { panel: el("div", { class: "panel" }, el("h2", null, answer.question ?? answer.name ?? "counterexample"), table), show() {} };
}
