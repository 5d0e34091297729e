//! Quantile plots: how many tasks are solved within a time each.

use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 56.0;

/// The plot as SVG: the n-th point is the n-th fastest correct answer, time on
/// a logarithmic axis from 10 ms to `limit` seconds.
pub fn quantile_plot(title: &str, mut seconds: Vec<f64>, tasks: usize, limit: f64) -> String {
    seconds.sort_by(f64::total_cmp);
    let lowest: f64 = 0.01;
    let span = (limit / lowest).log10();
    let x = |n: f64| MARGIN + n / tasks.max(1) as f64 * (WIDTH - 2.0 * MARGIN);
    let y = |s: f64| {
        HEIGHT - MARGIN - (s.max(lowest) / lowest).log10() / span * (HEIGHT - 2.0 * MARGIN)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    let (left, right) = (MARGIN, WIDTH - MARGIN);
    let mut tick = lowest;
    while tick <= limit * 1.001 {
        let at = y(tick);
        line(format!(
            "<line x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick} s</text>",
            left - 6.0,
            at + 4.0
        ));
        tick *= 10.0;
    }
    for quarter in 0..=4 {
        let n = tasks * quarter / 4;
        let at = x(n as f64);
        line(format!(
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{n}</text>",
            HEIGHT - MARGIN + 18.0
        ));
    }
    let mut points = String::new();
    for (n, s) in seconds.iter().enumerate() {
        let _ = write!(points, "{:.1},{:.1} ", x(n as f64 + 1.0), y(*s));
    }
    line(format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>",
        points.trim_end()
    ));
    line(format!(
        "<text x=\"{:.1}\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">{title}</text>",
        WIDTH / 2.0
    ));
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">tasks solved, fastest first</text>",
        WIDTH / 2.0,
        HEIGHT - 12.0
    ));
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_is_a_point_and_the_order_does_not_matter() {
        let plot = quantile_plot("t", vec![3.0, 0.02, 1.0], 4, 60.0);
        assert_eq!(plot, quantile_plot("t", vec![1.0, 3.0, 0.02], 4, 60.0));
        let points = plot.split("points=\"").nth(1).and_then(|s| s.split('"').next());
        assert_eq!(points.map(|p| p.split(' ').count()), Some(3));
        assert!(plot.ends_with("</svg>\n"));
    }
}
