// Graphs: zoom, pan, fold, search, linked with the source both ways.

const MOST = 260;

/** The abstract reachability graph of a property as a graph. */
function argGraph(arg) {
  const path = new Set(arg.path);
  const nodes = arg.nodes.map((node, index) => {
    const where = Object.entries(node.fixed).filter(([k]) => k.endsWith("@")).map(([k, v]) => k + v).join(", ");
    const values = Object.entries(node.fixed).filter(([k]) => !k.endsWith("@")).map(([k, v]) => k + " = " + valueText(v));
    const facts = [...values, ...node.formulas];
    const shown = facts.slice(0, 3).map((line) => line.length > 46 ? line.slice(0, 45) + "\u2026" : line);
    if (facts.length > 3) shown.push("\u2026 " + (facts.length - 3) + " more");
    return {
      lines: ["#" + index + "  " + where, ...shown], detail: facts,
      kind: node.standing === "target" ? "error" : node.standing === "covered" ? "covered" : "",
      initial: node.parent === null, onPath: path.has(index), ...(placeOf(where) ?? {}),
    };
  });
  const edges = [];
  arg.nodes.forEach((node, index) => {
    if (node.parent !== null) {
      edges.push({ from: node.parent, to: index, label: "", style: "solid", onPath: path.has(index) && path.has(node.parent) });
    }
    if (node.covered_by !== undefined) edges.push({ from: index, to: node.covered_by, label: "covered", style: "dashed" });
  });
  return {
    title: "Reachability graph", nodes, edges,
    notes: [plural(arg.nodes.length, "node") + "; refinement has cut off " + arg.removed, "dashed: covered by another node"],
  };
}

/** The graphs for the present property. */
function graphsNow() {
  const property = current();
  const own = DATA.graphs.filter((g) => g.property === undefined || g.property === null || g.property === property.name);
  return property.arg ? [argGraph(property.arg), ...own] : own;
}

/** Which nodes hang below which, by breadth-first search: what folding hides. */
function parentsOf(graph) {
  const next = graph.nodes.map(() => []);
  for (const edge of graph.edges) if (edge.style !== "dashed") next[edge.from].push(edge.to);
  const parent = graph.nodes.map(() => -2), level = graph.nodes.map(() => 0);
  const starts = [...graph.nodes.keys()].sort((a, b) => Number(graph.nodes[b].initial) - Number(graph.nodes[a].initial));
  for (const start of starts) {
    if (parent[start] !== -2) continue;
    parent[start] = -1;
    const queue = [start];
    for (let i = 0; i < queue.length; i++) {
      for (const to of next[queue[i]]) {
        if (parent[to] !== -2) continue;
        parent[to] = queue[i];
        level[to] = level[queue[i]] + 1;
        queue.push(to);
      }
    }
  }
  return { parent, level };
}

function graphPanel(graph) {
  const { parent, level } = parentsOf(graph);
  const folded = new Set();
  const groups = new Set();
  const view = { x: 0, y: 0, k: 1 };
  const world = svg("g");
  const arrow = svg("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0,1 L10,5 L0,9 z" }));
  const picture = svg("svg", { role: "group", "aria-label": graph.title }, svg("defs", null, arrow), world);
  const canvas = el("div", { class: "canvas", tabindex: 0, "aria-label": graph.title + ": arrows move, + and - zoom, 0 fits, Enter on a node folds" }, picture);
  const detail = el("div", { class: "legend", "aria-live": "polite" }, graph.notes.join("  \u00b7  "));
  const count = el("span", { class: "count" });
  const search = el("input", { class: "search", type: "search", placeholder: "find", "aria-label": "find a node", input: () => mark() });
  const byNode = new Map();
  let box = { x: 0, y: 0, w: 1, h: 1 }, picked = null, places = new Map();

  // A graph that is too large opens folded at the level at which it is not.
  if (graph.nodes.length > MOST) {
    const perLevel = new Map();
    level.forEach((l) => perLevel.set(l, (perLevel.get(l) ?? 0) + 1));
    let sum = 0, cut = 0;
    while (perLevel.has(cut) && sum + perLevel.get(cut) <= MOST) sum += perLevel.get(cut++);
    level.forEach((l, n) => { if (l === Math.max(0, cut - 1)) folded.add(n); });
  }

  function home(n) {
    let at = n, top = n;
    for (let guard = 0; parent[at] >= 0 && guard < graph.nodes.length; guard++) {
      at = parent[at];
      if (folded.has(at)) top = at;
    }
    return top;
  }

  function draw() {
    const homes = graph.nodes.map((node, n) => groups.has(node.group) ? "g" + node.group : home(n));
    const shown = [], number = new Map();
    graph.nodes.forEach((node, n) => {
      const own = homes[n];
      if (number.has(own)) { shown[number.get(own)].inside.push(n); return; }
      number.set(own, shown.length);
      shown.push({ id: own, inside: [n], lines: [], initial: false });
    });
    for (const item of shown) {
      const of = typeof item.id === "number" ? graph.nodes[item.id] : null;
      item.initial = item.inside.some((n) => graph.nodes[n].initial);
      item.lines = of ? of.lines.map((line) => [...line].length > 56 ? [...line].slice(0, 55).join("") + "\u2026" : line) : [graph.groups[Number(item.id.slice(1))]];
      if (item.inside.length > 1) item.lines = [...item.lines, "+ " + plural(item.inside.length - (of ? 1 : 0), "node")];
    }
    const seen = new Map(), edges = [];
    for (const edge of graph.edges) {
      const from = number.get(homes[edge.from]), to = number.get(homes[edge.to]);
      if (from === to && edge.from !== edge.to) continue;
      const key = from + ">" + to + edge.style;
      const old = seen.get(key);
      if (old) {
        if (edge.label && old.labels.length < 4 && !old.labels.includes(edge.label)) old.labels.push(edge.label);
        old.onPath ||= edge.onPath;
        continue;
      }
      const made = { from, to, style: edge.style, onPath: edge.onPath, labels: edge.label ? [edge.label] : [], place: edge.line ? edge : null };
      seen.set(key, made);
      edges.push(made);
    }
    const laid = layout(shown, edges);
    box = laid.box;
    byNode.clear();
    places = new Map();
    const lines = [], boxes = [], labels = [];
    edges.forEach((edge, i) => {
      const kind = "edge " + edge.style + (edge.onPath ? " path" : "");
      if (!laid.routes[i]) {
        const p = laid.places[edge.from], x = p.x + p.w / 2, y = p.y;
        lines.push(svg("path", { class: kind, "marker-end": "url(#arrow)", d: "M" + x + "," + (y - 6) + " C" + (x + 34) + "," + (y - 24) + " " + (x + 34) + "," + (y + 24) + " " + x + "," + (y + 6) }));
        edge.labels.forEach((label, j) => labels.push(text(x + 30, y + 4 + j * 13, label, "start")));
        return;
      }
      const { path, middle } = curve(laid.routes[i]);
      lines.push(svg("path", { class: kind, "marker-end": "url(#arrow)", d: path }));
      edge.labels.forEach((label, j) => labels.push(text(middle.x, middle.y + 4 + j * 13, label, "middle")));
    });
    shown.forEach((item, i) => {
      const p = laid.places[i], of = typeof item.id === "number" ? graph.nodes[item.id] : {};
      const kinds = ["node", of.kind, of.onPath && "path", item.inside.length > 1 && "folded"].filter(Boolean).join(" ");
      const node = svg("g", {
        class: kinds, tabindex: 0, role: "button",
        "aria-label": item.lines.join(", ") + (of.kind ? ", " + of.kind : ""),
        click: (event) => { event.stopPropagation(); pick(item); },
        dblclick: (event) => { event.stopPropagation(); fold(item); },
        keydown: (event) => {
          if (event.key === "Enter") { event.preventDefault(); fold(item); }
          if (event.key === " ") { event.preventDefault(); pick(item); }
        },
      },
      svg("title", null, (of.detail ?? item.lines).join("\n")),
      svg("rect", { x: p.x - p.w / 2, y: p.y - p.h / 2, width: p.w, height: p.h, rx: 7 }),
      item.lines.map((line, j) => svg("text", { x: p.x, y: p.y - p.h / 2 + PAD + 9 + j * LINE, "text-anchor": "middle" }, line)));
      if (item.initial) boxes.push(svg("path", { class: "edge", "marker-end": "url(#arrow)", d: "M" + p.x + "," + (p.y - p.h / 2 - 20) + " L" + p.x + "," + (p.y - p.h / 2 - 1) }));
      boxes.push(node);
      for (const n of item.inside) { byNode.set(n, node); places.set(n, p); }
    });
    world.replaceChildren(...lines, ...boxes, ...labels);
    const hidden = graph.nodes.length - shown.length;
    count.textContent = plural(graph.nodes.length, "node") + (hidden > 0 ? ", " + hidden + " folded" : "");
    mark();
  }
  const text = (x, y, label, anchor) => {
    const shown = [...label];
    return svg("text", { class: "label", x, y, "text-anchor": anchor }, svg("title", null, label), shown.length > 48 ? shown.slice(0, 47).join("") + "\u2026" : label);
  };

  function fold(item) {
    if (typeof item.id === "string") groups.delete(Number(item.id.slice(1)));
    else if (folded.has(item.id)) folded.delete(item.id);
    else folded.add(item.id);
    draw();
    if (typeof item.id === "number") byNode.get(item.id)?.focus();
  }
  function pick(item) {
    const of = typeof item.id === "number" ? graph.nodes[item.id] : null;
    picked = of ? item.id : null;
    detail.textContent = visible(of ? (of.detail?.length ? of.lines[0] + ":  " + of.detail.join("  &&  ") : of.lines.join("  ")) : item.lines.join("  "));
    mark();
    if (of?.line) goTo(of);
  }

  /** Marks what was picked, what is searched, and the nodes at the chosen line. */
  function mark() {
    const wanted = search.value.trim().toLowerCase();
    for (const node of byNode.values()) node.classList.remove("picked");
    let first = null;
    graph.nodes.forEach((node, n) => {
      const isFound = wanted && node.lines.concat(node.detail ?? []).some((line) => line.toLowerCase().includes(wanted));
      const isHere = !wanted && state.line && node.line === state.line.line && node.file === state.line.file;
      if (isFound || isHere || n === picked) {
        byNode.get(n)?.classList.add("picked");
        first ??= n;
      }
    });
    return first;
  }
  function reveal(n) {
    const p = places.get(n);
    if (!p || !canvas.clientWidth) return;
    const x = p.x * view.k + view.x, y = p.y * view.k + view.y;
    if (x < 40 || y < 40 || x > canvas.clientWidth - 40 || y > canvas.clientHeight - 40) {
      view.x = canvas.clientWidth / 2 - p.x * view.k;
      view.y = canvas.clientHeight / 2 - p.y * view.k;
      move();
    }
  }

  const move = () => world.setAttribute("transform", "translate(" + view.x + "," + view.y + ") scale(" + view.k + ")");
  function fit() {
    const w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h) return;
    view.k = Math.max(0.04, Math.min(1.15, (w - 40) / Math.max(1, box.w), (h - 60) / Math.max(1, box.h + 24)));
    // A tall graph begins readable at its top.
    if (view.k < 0.45) view.k = Math.min(0.8, Math.max(0.45, (w - 40) / Math.max(1, box.w)));
    const first = graph.nodes.findIndex((node) => node.initial);
    const isWhole = box.h * view.k < h && box.w * view.k < w;
    const middle = isWhole || first < 0 || !places.has(first) ? box.x + (box.w - 60) / 2 : places.get(first).x;
    view.x = w / 2 - middle * view.k;
    view.y = box.h * view.k < h ? (h - box.h * view.k) / 2 + 12 : 34;
    move();
  }
  function zoom(factor, x, y) {
    const k = Math.max(0.03, Math.min(4, view.k * factor));
    view.x = x - (x - view.x) * k / view.k;
    view.y = y - (y - view.y) * k / view.k;
    view.k = k;
    move();
  }
  const centre = (factor) => zoom(factor, canvas.clientWidth / 2, canvas.clientHeight / 2);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0016), event.clientX - at.left, event.clientY - at.top);
  }, { passive: false });
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => { drag = { x: event.clientX - view.x, y: event.clientY - view.y }; });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    canvas.classList.add("moving");
    view.x = event.clientX - drag.x;
    view.y = event.clientY - drag.y;
    move();
  });
  window.addEventListener("pointerup", () => { drag = null; canvas.classList.remove("moving"); });
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (by) { view.x += by[0]; view.y += by[1]; move(); }
    else if (event.key === "+" || event.key === "=") centre(1.25);
    else if (event.key === "-") centre(0.8);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const groupNames = graph.groups ?? [];
  const panel = el("div", { class: "flush panel graph" },
    el("div", { class: "bar" },
      el("button", { title: "zoom out (-)", "aria-label": "zoom out", click: () => centre(0.8) }, "\u2212"),
      el("button", { title: "fit (0)", click: fit }, "fit"),
      el("button", { title: "zoom in (+)", "aria-label": "zoom in", click: () => centre(1.25) }, "+"),
      el("button", { click: () => { folded.clear(); groups.clear(); draw(); fit(); } }, "unfold all"),
      groupNames.length > 1 && el("button", { click: () => { groupNames.forEach((_, g) => groups.add(g)); draw(); fit(); } }, "fold groups"),
      search, count),
    canvas, detail);
  draw();
  listen((change) => {
    if (!("line" in change) || !panel.isConnected) return;
    picked = null;
    const first = mark();
    if (first !== null) reveal(first);
  });
  return { panel, show: () => {}, fit };
}
