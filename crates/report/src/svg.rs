//! Graphs as SVG pictures, without Graphviz.
//!
//! Pictures stand alone: no script, no external font, no ids that could clash
//! when several are put into one page. Colors follow the reader's light or
//! dark preference; whatever a color says, a shape or line style says too.

use std::fmt::Write;

use crate::escape::{clip, xml};
use crate::graph::{EdgeStyle, Graph, NodeKind};
use crate::layout::{CAPTION, Drawing, ENTRY, EdgeCurve, Frame, Piece, Point, layout};
use crate::metrics::{COLUMN, FONT, LINE, TextBlock};

const MARGIN: f64 = 20.0;
const ARROW: f64 = 8.0;

/// Class names carry a prefix, since a style inside a page applies to all of it.
const STYLE: &str = "\
.plx text{font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1b1f24}\
.plx .bg{fill:#fff}.plx .group{fill:#f6f8fa;stroke:#8c959f}.plx .caption,.plx .title{font-weight:bold}\
.plx .note{fill:#57606a}.plx .box{fill:#fff;stroke:#424a53;stroke-width:1.2}\
.plx .final{fill:none}.plx .error{fill:#ffebe9;stroke:#a40e26;stroke-width:2.6}\
.plx .covered{stroke-dasharray:6 4}.plx .core{fill:#ddf4ff;stroke:#0550ae;stroke-width:2.6}\
.plx .edge{fill:none;stroke:#424a53;stroke-width:1.3}.plx .dotted{stroke-dasharray:2 4;stroke-width:1.6}.plx .dashed{stroke-dasharray:7 4}\
.plx .bold{stroke-width:2.8}.plx .head{fill:#424a53}.plx .label{fill:#32383f}\
@media(prefers-color-scheme:dark){.plx text{fill:#e6edf3}.plx .bg{fill:#0d1117}\
.plx .group{fill:#161b22;stroke:#6e7681}.plx .note,.plx .label{fill:#b1bac4}\
.plx .box{fill:#0d1117;stroke:#b1bac4}.plx .final{fill:none}.plx .error{fill:#490202;stroke:#ff7b72}\
.plx .core{fill:#0c2d6b;stroke:#79c0ff}.plx .edge{stroke:#b1bac4}.plx .head{fill:#b1bac4}}";

/// The graph as an SVG document.
pub fn to_svg(graph: &Graph) -> String {
    let drawing = layout(graph);
    let mut out = String::new();
    write_svg(&mut out, graph, &drawing).map_or_else(|_| String::new(), |()| out)
}

fn write_svg(out: &mut String, graph: &Graph, drawing: &Drawing) -> std::fmt::Result {
    let title = clip(&graph.title, 120);
    let caption = TextBlock::new([&*title].into_iter().filter(|t| !t.is_empty()), 120, 1);
    let notes = TextBlock::new(graph.notes.iter().map(String::as_str), 120, 20);
    let top = if caption.lines.is_empty() { 0.0 } else { LINE + 14.0 };
    let bottom = if notes.lines.is_empty() { 0.0 } else { notes.height + 14.0 };
    let inner = drawing.width.max(caption.width * 1.1).max(notes.width);
    let (width, height) = (inner + 2.0 * MARGIN, drawing.height + top + bottom + 2.0 * MARGIN);
    let (width, height) = (width.ceil(), height.ceil());
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plx\" role=\"img\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    )?;
    writeln!(out, "<title>{}</title>", xml(&title))?;
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let (nodes, edges) = (count(graph.nodes.len(), "node"), count(drawing.edges.len(), "edge"));
    writeln!(out, "<desc>Directed graph with {nodes} and {edges}</desc>")?;
    writeln!(out, "<style>{STYLE}</style>")?;
    writeln!(out, "<rect class=\"bg\" width=\"{width}\" height=\"{height}\"/>")?;
    if let Some(line) = caption.lines.first() {
        text(out, "title", Point::new(MARGIN, MARGIN + FONT), line)?;
    }
    writeln!(out, "<g transform=\"translate({},{})\">", px(MARGIN), px(MARGIN + top))?;
    for (group, frame) in &drawing.groups {
        rect(out, "group", frame, 8.0)?;
        let name = TextBlock::new([graph.groups[*group].as_str()], 60, 1);
        let at = Point::new(frame.x + 14.0, frame.y + CAPTION - 3.0);
        text(out, "caption", at, name.lines.first().map_or("", String::as_str))?;
    }
    for curve in &drawing.edges {
        write_edge(out, graph, curve)?;
    }
    for (index, (frame, lines)) in drawing.nodes.iter().enumerate() {
        write_node(out, graph, index, frame, lines)?;
    }
    // Labels come last, above every line.
    for (at, label) in drawing.edges.iter().filter_map(|c| c.label.as_ref()) {
        block(out, "label", *at, label, false)?;
    }
    writeln!(out, "</g>")?;
    if !notes.lines.is_empty() {
        let middle = height - MARGIN - notes.height / 2.0;
        block(out, "note", Point::new(MARGIN, middle), &notes, false)?;
    }
    writeln!(out, "</svg>")
}

/// A coordinate with one decimal at most.
fn px(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // No negative zero.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

fn text(out: &mut String, class: &str, at: Point, line: &str) -> std::fmt::Result {
    let (x, y) = (px(at.x), px(at.y));
    // Runs of spaces are kept, as in a terminal.
    let space =
        if line.contains("  ") || line.starts_with(' ') { " xml:space=\"preserve\"" } else { "" };
    writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{space}>{}</text>", xml(line))
}

/// Lines of text around a middle height; `at.x` is the left end or the middle.
fn block(
    out: &mut String,
    class: &str,
    at: Point,
    text_block: &TextBlock,
    centered: bool,
) -> std::fmt::Result {
    let first = at.y - text_block.height / 2.0 + LINE / 2.0 + FONT * 0.35;
    for (i, line) in text_block.lines.iter().enumerate() {
        let shift =
            if centered { crate::metrics::columns(line) as f64 * COLUMN / 2.0 } else { 0.0 };
        text(out, class, Point::new(at.x - shift, first + i as f64 * LINE), line)?;
    }
    Ok(())
}

fn rect(out: &mut String, class: &str, frame: &Frame, round: f64) -> std::fmt::Result {
    let (x, y, w, h) = (px(frame.x), px(frame.y), px(frame.width), px(frame.height));
    let round = px(round);
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{round}\"/>"
    )
}

fn write_node(
    out: &mut String,
    graph: &Graph,
    index: usize,
    frame: &Frame,
    lines: &TextBlock,
) -> std::fmt::Result {
    let node = &graph.nodes[index];
    let words = [if node.initial { "initial" } else { "" }, node.kind.word()];
    let full =
        words.into_iter().filter(|w| !w.is_empty()).map(|w| format!("{w}: ")).collect::<String>();
    let full = full + &clip(&node.lines.join("; "), 2_000);
    writeln!(out, "<g><title>{}</title>", xml(&full))?;
    if node.initial {
        let (left, y) = (frame.x, frame.y + frame.height / 2.0);
        let dot = left - ENTRY + 6.0;
        writeln!(out, "<circle class=\"head\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>", px(dot), px(y))?;
        let line = format!("M{} {}H{}", px(dot), px(y), px(left - ARROW));
        writeln!(out, "<path class=\"edge\" d=\"{line}\"/>")?;
        arrow(out, Point::new(left, y), Point::new(1.0, 0.0))?;
    }
    match node.kind {
        NodeKind::Normal => rect(out, "box", frame, 5.0)?,
        NodeKind::Covered => rect(out, "box covered", frame, 5.0)?,
        NodeKind::Core => rect(out, "box core", frame, 5.0)?,
        NodeKind::Final => {
            rect(out, "box", frame, 6.0)?;
            let (x, y) = (frame.x + 4.0, frame.y + 4.0);
            let (width, height) = (frame.width - 8.0, frame.height - 8.0);
            rect(out, "box final", &Frame { x, y, width, height }, 4.0)?;
        }
        NodeKind::Error => {
            let (l, t, r, b) = (frame.x, frame.y, frame.x + frame.width, frame.y + frame.height);
            let cut = 9.0;
            let corners = [
                (l + cut, t),
                (r - cut, t),
                (r, t + cut),
                (r, b - cut),
                (r - cut, b),
                (l + cut, b),
                (l, b - cut),
                (l, t + cut),
            ];
            let corners: Vec<String> =
                corners.iter().map(|(x, y)| format!("{},{}", px(*x), px(*y))).collect();
            writeln!(out, "<polygon class=\"box error\" points=\"{}\"/>", corners.join(" "))?;
        }
    }
    block(out, "", frame.center(), lines, true)?;
    writeln!(out, "</g>")
}

fn write_edge(out: &mut String, graph: &Graph, curve: &EdgeCurve) -> std::fmt::Result {
    let edge = &graph.edges[curve.edge];
    let class = match edge.style {
        EdgeStyle::Solid => "edge",
        EdgeStyle::Dotted => "edge dotted",
        EdgeStyle::Dashed => "edge dashed",
        EdgeStyle::Bold => "edge bold",
    };
    let mut path = format!("M{} {}", px(curve.start.x), px(curve.start.y));
    // The line ends inside the arrowhead, or a thick one would blunt its tip.
    let back = |p: Point| {
        let inside = ARROW - 1.0;
        Point::new(p.x - inside * curve.heading.x, p.y - inside * curve.heading.y)
    };
    let last = curve.pieces.len().saturating_sub(1);
    for (i, piece) in curve.pieces.iter().enumerate() {
        let end = |p: Point| if i == last { back(p) } else { p };
        match *piece {
            Piece::Line(to) => {
                let to = end(to);
                write!(path, "L{} {}", px(to.x), px(to.y))?;
            }
            Piece::Cubic(a, b, to) => {
                let (b, to) = if i == last { (back(b), back(to)) } else { (b, to) };
                let points = [a, b, to].map(|p| format!("{} {}", px(p.x), px(p.y)));
                write!(path, "C{}", points.join(" "))?;
            }
        }
    }
    writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>")?;
    arrow(out, curve.tip, curve.heading)
}

fn arrow(out: &mut String, tip: Point, heading: Point) -> std::fmt::Result {
    let side = Point::new(-heading.y, heading.x);
    let corner = |s: f64| {
        let x = tip.x - ARROW * heading.x + s * side.x;
        let y = tip.y - ARROW * heading.y + s * side.y;
        format!("{} {}", px(x), px(y))
    };
    let tip = format!("{} {}", px(tip.x), px(tip.y));
    writeln!(out, "<path class=\"head\" d=\"M{tip}L{}L{}Z\"/>", corner(3.8), corner(-3.8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::tests::mutex;
    use crate::graph::{Edge, Node};

    #[test]
    fn a_small_picture() {
        let mut graph = Graph {
            title: "a < b".into(),
            nodes: vec![Node::new("x <= y"), Node::new("end")],
            edges: vec![Edge::new(0, 1, "t1")],
            notes: vec!["solid: exact".into()],
            ..Graph::default()
        };
        graph.nodes[0].initial = true;
        graph.nodes[1].kind = NodeKind::Final;
        let svg = to_svg(&graph).replace(STYLE, "...");
        insta::assert_snapshot!(svg, @r#"
        <svg xmlns="http://www.w3.org/2000/svg" class="plx" role="img" width="139" height="225" viewBox="0 0 139 225">
        <title>a &lt; b</title>
        <desc>Directed graph with 2 nodes and 1 edge</desc>
        <style>...</style>
        <rect class="bg" width="139" height="225"/>
        <text class="title" x="20" y="33">a &lt; b</text>
        <g transform="translate(20,51)">
        <path class="edge" d="M64.5 31L64.5 77"/>
        <path class="head" d="M64.5 84L60.7 76L68.3 76Z"/>
        <g><title>initial: x &lt;= y</title>
        <circle class="head" cx="6" cy="15.5" r="3.5"/>
        <path class="edge" d="M6 15.5H22"/>
        <path class="head" d="M30 15.5L22 19.3L22 11.7Z"/>
        <rect class="box" x="30" y="0" width="69" height="31" rx="5"/>
        <text class="" x="41" y="20.1">x &lt;= y</text>
        </g>
        <g><title>final: end</title>
        <rect class="box" x="37.7" y="84" width="53.5" height="39" rx="6"/>
        <rect class="box final" x="41.7" y="88" width="45.5" height="31" rx="4"/>
        <text class="" x="52.7" y="108.1">end</text>
        </g>
        <text class="label" x="69.5" y="62.1">t1</text>
        </g>
        <text class="note" x="20" y="201.1">solid: exact</text>
        </svg>
        "#);
    }

    #[test]
    fn every_element_is_closed_and_foreign_text_is_quoted() {
        let svg = to_svg(&mutex());
        assert_eq!(svg.matches("<g>").count() + 1, svg.matches("</g>").count());
        assert!(svg.contains("mutex &quot;quoted&quot; &lt;1&gt;"));
        assert!(svg.contains("mine &lt;= s &amp;&amp; t &gt; 0"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        // Every style leaves its mark: nothing is said by color alone.
        for class in ["edge dotted", "edge bold", "box error", "box covered", "box core"] {
            assert!(svg.contains(&format!("class=\"{class}\"")), "{class}");
        }
    }

    #[test]
    fn no_nodes_no_harm() {
        assert!(to_svg(&Graph::default()).ends_with("</svg>\n"));
    }
}
