// Layered drawing (Sugiyama, Tagawa, Toda 1981): cycles are broken by depth-first search,
// layers are longest paths, orders are barycenters, and places are means of neighbours.

const LINE = 15, PAD = 9, CHAR = 7.25, GAP_X = 26, GAP_Y = 46;

function sizeOf(node) {
  const longest = Math.max(3, ...node.lines.map((line) => [...line].length));
  return { w: Math.min(longest * CHAR, 420) + 2 * PAD, h: node.lines.length * LINE + 2 * PAD - 2 };
}

/** Places for nodes `{ lines }` and edges `{ from, to }`; edges get points. */
function layout(nodes, edges) {
  const count = nodes.length;
  const out = nodes.map(() => []);
  const links = [];
  edges.forEach((edge, index) => { if (edge.from !== edge.to) out[edge.from].push(index); });
  // Back edges are turned round.
  const mark = new Uint8Array(count), turned = new Uint8Array(edges.length);
  const starts = [...nodes.keys()].sort((a, b) => Number(nodes[b].initial ?? 0) - Number(nodes[a].initial ?? 0));
  for (const start of starts) {
    if (mark[start]) continue;
    const stack = [[start, 0]];
    mark[start] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (top[1] >= out[top[0]].length) { mark[top[0]] = 2; stack.pop(); continue; }
      const index = out[top[0]][top[1]++];
      const to = edges[index].to;
      if (mark[to] === 1) turned[index] = 1;
      else if (mark[to] === 0) { mark[to] = 1; stack.push([to, 0]); }
    }
  }
  const degree = new Int32Array(count), next = nodes.map(() => []);
  edges.forEach((edge, index) => {
    if (edge.from === edge.to) return;
    const [a, b] = turned[index] ? [edge.to, edge.from] : [edge.from, edge.to];
    next[a].push(b);
    degree[b] += 1;
    links.push({ index, a, b });
  });
  const layer = new Int32Array(count), ready = [...nodes.keys()].filter((n) => degree[n] === 0);
  for (let i = 0; i < ready.length; i++) {
    for (const b of next[ready[i]]) {
      layer[b] = Math.max(layer[b], layer[ready[i]] + 1);
      if (--degree[b] === 0) ready.push(b);
    }
  }
  // Long edges get a point on every layer they cross.
  const items = nodes.map((node, n) => ({ ...sizeOf(node), node: n, layer: layer[n], up: [], down: [] }));
  const chains = new Map();
  for (const { index, a, b } of links) {
    const chain = [a];
    for (let l = layer[a] + 1; l < layer[b] && items.length < 12000; l++) {
      items.push({ w: 8, h: 1, node: -1, layer: l, up: [], down: [] });
      chain.push(items.length - 1);
    }
    chain.push(b);
    for (let i = 1; i < chain.length; i++) { items[chain[i - 1]].down.push(chain[i]); items[chain[i]].up.push(chain[i - 1]); }
    chains.set(index, turned[index] ? chain.reverse() : chain);
  }
  const depth = items.reduce((most, item) => Math.max(most, item.layer), 0) + 1;
  const layers = Array.from({ length: depth }, () => []);
  items.forEach((item, i) => layers[item.layer].push(i));
  const order = new Float64Array(items.length);
  const number = () => layers.forEach((row) => row.forEach((i, at) => { order[i] = at; }));
  number();
  for (let round = 0; round < 8; round++) {
    const side = round % 2 ? "down" : "up";
    for (const row of round % 2 ? [...layers].reverse() : layers) {
      const key = new Map(row.map((i) => [i, items[i][side].length ? items[i][side].reduce((sum, j) => sum + order[j], 0) / items[i][side].length : order[i]]));
      row.sort((a, b) => key.get(a) - key.get(b) || order[a] - order[b]);
      row.forEach((i, at) => { order[i] = at; });
    }
  }
  // Places: in a row without overlap, then towards the mean of the neighbours.
  for (const row of layers) {
    let x = 0;
    for (const i of row) { items[i].x = x + items[i].w / 2; x += items[i].w + GAP_X; }
    const middle = (x - GAP_X) / 2;
    for (const i of row) items[i].x -= middle;
  }
  for (let round = 0; round < 12; round++) {
    const side = round % 2 ? "down" : "up";
    for (const row of round % 2 ? [...layers].reverse() : layers) {
      const wanted = row.map((i) => {
        const near = items[i][side];
        return near.length ? near.reduce((sum, j) => sum + items[j].x, 0) / near.length : items[i].x;
      });
      const left = row.map(() => 0), right = row.map(() => 0);
      row.forEach((i, at) => {
        const least = at ? left[at - 1] + (items[row[at - 1]].w + items[i].w) / 2 + GAP_X : -Infinity;
        left[at] = Math.max(wanted[at], least);
      });
      for (let at = row.length - 1; at >= 0; at--) {
        const most = at + 1 < row.length ? right[at + 1] - (items[row[at + 1]].w + items[row[at]].w) / 2 - GAP_X : Infinity;
        right[at] = Math.min(wanted[at], most);
      }
      row.forEach((i, at) => { items[i].x = (left[at] + right[at]) / 2; });
      row.forEach((i, at) => {
        if (!at) return;
        const least = items[row[at - 1]].x + (items[row[at - 1]].w + items[i].w) / 2 + GAP_X;
        if (items[i].x < least) items[i].x = least;
      });
    }
  }
  let y = 0;
  for (const row of layers) {
    const height = row.reduce((most, i) => Math.max(most, items[i].h), 1);
    for (const i of row) items[i].y = y + height / 2;
    y += height + GAP_Y;
  }
  const places = items.slice(0, count);
  const routes = edges.map((edge, index) => {
    if (edge.from === edge.to) return null;
    return (chains.get(index) ?? [edge.from, edge.to]).map((i) => items[i]);
  });
  const xs = places.flatMap((p) => [p.x - p.w / 2, p.x + p.w / 2]);
  return { places, routes, box: { x: Math.min(...xs), y: 0, w: Math.max(...xs) - Math.min(...xs) + 60, h: y } };
}

/** An edge as a path from border to border. */
function curve(route) {
  const points = route.map((item, i) => {
    if (item.node < 0) return { x: item.x, y: item.y };
    const other = route[i === 0 ? 1 : i - 1];
    return { x: item.x, y: other.y > item.y ? item.y + item.h / 2 : other.y < item.y ? item.y - item.h / 2 : item.y };
  });
  let path = "M" + points[0].x + "," + points[0].y;
  for (let i = 1; i < points.length; i++) {
    const [p, q] = [points[i - 1], points[i]];
    const bend = (q.y - p.y) / 2;
    path += " C" + p.x + "," + (p.y + bend) + " " + q.x + "," + (q.y - bend) + " " + q.x + "," + q.y;
  }
  const m = points.length % 2 ? points[(points.length - 1) / 2] : { x: (points[points.length / 2 - 1].x + points[points.length / 2].x) / 2, y: (points[points.length / 2 - 1].y + points[points.length / 2].y) / 2 };
  return { path, middle: m };
}
