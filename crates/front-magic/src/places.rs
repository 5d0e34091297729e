//! Where steps are in the user's text.
//!
//! Actions come from generated text: the functions that stand for assumed
//! routines, and the driver. After inlining, what was inside such a function
//! gets the place of the call in the user's text. Inputs are called what the text
//! says where they are first asked for.

use crate::text::{OBJECT, RESULT, SAME};
use parallax_base::{Id, SourceMap, Span};
use parallax_cfa::{Edge, Location, Mark, Op, Program, Storage};
use parallax_encode::{Choice, Encoded};
use parallax_ir as ir;
use parallax_transform::Role;
use parallax_transform::inline::Inlined;

/// How the name of a generated file ends.
pub(crate) const GENERATED: &str = ".driver.c";

/// What is needed to find places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places<'a> {
    pub(crate) sources: &'a SourceMap,
    /// The procedure.
    pub(crate) procedure: &'a str,
}

/// Whether a place is in generated text, or nowhere.
pub(crate) fn is_generated(sources: &SourceMap, span: Span) -> bool {
    sources.get(span.file).is_none_or(|file| file.name().ends_with(GENERATED))
}

impl Places<'_> {
    /// Gives inlined steps of generated functions the place of the call in the
    /// user's text. Hands out the places where the procedure returns, in the
    /// order of the numbers under which they are noted.
    pub(crate) fn settle(&self, whole: &Program, inlined: &mut Inlined) -> Vec<Span> {
        let mut returns: Vec<Span> = Vec::new();
        let Some(main) = inlined.program.main else { return returns };
        let Inlined { program, origin, .. } = inlined;
        let function = &mut program.functions[main];
        let way = &mut origin.functions[main.index()];
        for (id, from) in
            function.edges.ids().collect::<Vec<_>>().into_iter().zip(way.edges.clone())
        {
            let edge = &mut function.edges[id];
            let is_procedure = *whole.functions[from.function].name == *self.procedure;
            // A frame without a parent is a call by the driver.
            let outermost = from.stack.is_some_and(|frame| origin.frames[frame].parent.is_none());
            let original = &whole.functions[from.function].edges[from.edge];
            let is_return = matches!(original.op, Op::Return(_)) && from.role == Role::Leave;
            if is_return && is_procedure && outermost {
                let known = returns.iter().position(|span| *span == edge.span);
                let number = known.unwrap_or(returns.len());
                if known.is_none() {
                    returns.push(edge.span);
                }
                let (target, span) = (edge.target, edge.span);
                let middle =
                    function.locations.push(Location::marked(Mark::Note(number as u32), span));
                way.locations.push(way.locations[target.index()]);
                function.edges[id].target = middle;
                let (source, op, branch) = (middle, Op::Skip, None);
                function.edges.push(Edge { source, target, op, span, branch });
                way.edges.push(from);
                continue;
            }
            let mut stack = from.stack;
            while is_generated(self.sources, edge.span)
                && let Some(frame) = stack
            {
                let frame = &origin.frames[frame];
                edge.span = whole.functions[frame.function].edges[frame.call].span;
                stack = frame.parent;
            }
        }
        returns
    }
}

/// For each edge of the process how its inputs are called in the user's text.
/// `meeting` are the parameters that may lead to one object.
pub(crate) fn input_names(
    encoded: &Encoded,
    sources: &SourceMap,
    meeting: &[(&str, &str)],
) -> Vec<Vec<Option<String>>> {
    let process = &encoded.program.processes[Id::new(0)];
    let Some(main) = encoded.form.main else { return vec![Vec::new(); process.edges.len()] };
    let edges = &encoded.form.functions[main].edges;
    let name = |(input, choice): (&ir::Input, &Choice)| {
        let span = edges[choice.edge].span;
        let text = sources.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(object) = input.name.strip_prefix(OBJECT) {
            return Some(format!("*{object}"));
        }
        if let Some(number) = input.name.strip_prefix(SAME) {
            let pair = number.parse().ok().and_then(|number: usize| meeting.get(number));
            return pair.map(|(first, second)| format!("({first} == {second})"));
        }
        let known = (!is_generated(sources, span) && !text.is_empty()).then_some(text);
        match &*input.name {
            "choice" => None,
            "contents" => known.map(|text| format!("what `{text}` writes")),
            result if result.starts_with(RESULT) => known.map(|text| format!("result of `{text}`")),
            variable => Some(variable.to_owned()),
        }
    };
    let of = |(edge, choices): (&ir::Edge, &Vec<Choice>)| {
        edge.inputs.iter().zip(choices).map(name).collect()
    };
    process.edges.iter().zip(&encoded.choices).map(of).collect()
}

/// Static variables, whose first values matter: by position, with their names.
pub(crate) fn given(encoded: &Encoded) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for &(variable, position) in &encoded.scalars {
        let variable = &encoded.form.variables[variable];
        let is_static = variable.storage == Storage::Static;
        if is_static {
            found.push((position, variable.name.to_string()));
        }
    }
    found
}
