//! How arbitrary values are made, as C.
//!
//! Each kind of record gets a function that fills one, for each number of links
//! that may still follow; so the text stays short however the records refer to each
//! other, and calls itself nowhere.

use super::lines::Lines;
use super::shape::Shapes;
use super::{ENTRY, Request, words};
use crate::typed::Function;
use parallax_base::Id;
use parallax_cfa::{ArrayLength, IntKind, Member, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Arrays of numbers with more elements than this are overwritten as one.
const SINGLE: u64 = 64;

/// Chains of records are made shorter if more objects than this came of them.
const OBJECTS: u64 = 200;

/// What stands in the way of a driver.
pub(super) type Stuck = String;

/// What a driver makes use of.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Used {
    pub(super) arrays: bool,
    pub(super) strings: bool,
    pub(super) pointers: bool,
    pub(super) chains: bool,
    pub(super) functions: bool,
    pub(super) opaque: bool,
    pub(super) globals: bool,
}

/// A record to fill, and how many more of its kind may follow it.
type Kind = (Id<Type>, u32);

/// Writes one driver.
pub(super) struct Writer<'a> {
    shapes: &'a Shapes<'a>,
    request: &'a Request,
    /// How many records of a kind follow each other at most.
    links: u32,
    /// The input functions that are called, with what they return.
    inputs: BTreeMap<&'static str, &'static str>,
    /// Functions that fill records, by what they fill, with what they call.
    fillers: BTreeMap<Kind, (String, Vec<Kind>)>,
    open: Vec<Kind>,
    /// What stands for functions behind pointers.
    unknown: BTreeMap<Id<Type>, String>,
    /// Functions of the library that are called.
    library: BTreeSet<&'static str>,
    fresh: u32,
    used: Used,
}

/// Where a value is made.
#[derive(Clone, Copy, Debug)]
struct Place<'p> {
    text: &'p str,
    is_const: bool,
    /// Set in a record: how many of its kind may follow.
    links: Option<u32>,
    null: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(shapes: &'a Shapes<'a>, request: &'a Request) -> Writer<'a> {
        Writer {
            shapes,
            request,
            links: request.links.max(1),
            inputs: BTreeMap::new(),
            fillers: BTreeMap::new(),
            open: Vec::new(),
            unknown: BTreeMap::new(),
            library: BTreeSet::new(),
            fresh: 0,
            used: Used::default(),
        }
    }

    /// The driver of a function, and what it takes for granted.
    pub(super) fn driver(mut self, function: &Function) -> Result<(String, Vec<Arc<str>>), Stuck> {
        loop {
            let (text, objects) = self.text(function)?;
            if objects <= OBJECTS || self.links == 1 {
                let assumed = words::assumed(self.shapes, self.request, self.links, self.used);
                return Ok((text, assumed));
            }
            self = Writer { links: self.links - 1, ..Writer::new(self.shapes, self.request) };
        }
    }

    /// The text, and how many records it makes.
    fn text(&mut self, function: &Function) -> Result<(String, u64), Stuck> {
        let mut main = Lines::default();
        main.open(&format!("void {ENTRY}(void)"));
        let mut roots = Vec::new();
        if self.request.free_globals {
            self.used.globals = true;
            main.line("parallax_globals();");
        }
        let mut arguments = Vec::new();
        for (number, id) in function.parameters.iter().enumerate() {
            let parameter = &self.shapes.program.variables[*id];
            let name = match parameter.name.is_empty() {
                true => format!("argument{}", number + 1),
                false => parameter.name.to_string(),
            };
            self.argument(&mut main, &name, parameter.ty, &mut roots)?;
            arguments.push(name);
        }
        for condition in &self.request.assume {
            self.library.insert("assume");
            main.line(&format!("__VERIFIER_assume(({condition}) != 0);"));
        }
        let Type::Function(ty) = self.shapes.get(function.ty) else { return Err(String::new()) };
        let call = format!("{}({});", function.name, arguments.join(", "));
        match self.shapes.get(ty.result) {
            Type::Void => main.line(&call),
            _ => main.line(&format!("(void){call}")),
        }
        main.close();
        let mut parts = Vec::new();
        if self.request.free_globals {
            parts.push(self.globals(&mut roots)?);
        }
        let mut heads = String::new();
        while let Some(kind) = self.open.pop() {
            let (head, body) = self.filler(kind)?;
            heads.push_str(&format!("{head};\n"));
            parts.push(body);
        }
        parts.push(main.text().to_owned());
        let about = format!("/* Calls `{}` with arbitrary arguments. */\n", function.name);
        let text = format!("\n{about}{}{heads}\n{}", self.declarations()?, parts.join("\n"));
        let objects = roots.iter().fold(0, |n: u64, kind| n.saturating_add(self.objects(*kind)));
        Ok((text, objects))
    }

    /// How many records come of filling one.
    fn objects(&self, root: Kind) -> u64 {
        let mut known: BTreeMap<Kind, u64> = BTreeMap::new();
        let mut path = vec![(root, 0)];
        while let Some((kind, next)) = path.pop() {
            let calls = self.fillers.get(&kind).map_or(&[][..], |(_, calls)| calls);
            match calls.get(next) {
                Some(call) => {
                    path.push((kind, next + 1));
                    if !known.contains_key(call) {
                        path.push((*call, 0));
                    }
                }
                None => {
                    let below = calls.iter().filter_map(|call| known.get(call));
                    let count = below.fold(1, |n: u64, more| n.saturating_add(*more));
                    known.insert(kind, count);
                }
            }
        }
        known.get(&root).copied().unwrap_or(1)
    }

    /// What is called and not defined.
    fn declarations(&self) -> Result<String, Stuck> {
        let mut text = String::new();
        let known = |name: &str| self.shapes.names.functions.contains_key(name);
        let mut declare = |name: &str, declaration: String| {
            if !known(name) {
                text.push_str(&format!("{declaration};\n"));
            }
        };
        for (word, ty) in &self.inputs {
            let name = format!("__VERIFIER_nondet_{word}");
            declare(&name, format!("extern {ty} {name}(void)"));
        }
        let (size, _) = self.size();
        for name in &self.library {
            match *name {
                "assume" => {
                    declare("__VERIFIER_assume", String::from("extern void __VERIFIER_assume(int)"))
                }
                "memory" => declare(
                    "__VERIFIER_nondet_memory",
                    format!("extern void __VERIFIER_nondet_memory(void *, {size})"),
                ),
                "fopen" => declare(
                    "fopen",
                    String::from("extern struct _IO_FILE *fopen(const char *, const char *)"),
                ),
                _ => declare("malloc", format!("extern void *malloc({size})")),
            }
        }
        for (ty, name) in &self.unknown {
            text.push_str(&format!("extern {};\n", self.shapes.declare(*ty, name)?));
        }
        Ok(text)
    }

    /// The type of sizes, and the word of its input function.
    fn size(&self) -> (&'static str, &'static str) {
        match self.shapes.program.types.model.size_type() {
            IntKind::UInt => ("unsigned int", "uint"),
            _ => ("unsigned long", "ulong"),
        }
    }

    fn number(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    fn input(&mut self, word: &'static str, ty: &'static str) -> String {
        self.inputs.insert(word, ty);
        format!("__VERIFIER_nondet_{word}()")
    }

    /// A variable with an arbitrary value.
    fn argument(
        &mut self,
        out: &mut Lines,
        name: &str,
        ty: Id<Type>,
        calls: &mut Vec<Kind>,
    ) -> Result<(), Stuck> {
        let declared = self.shapes.declare(ty, name)?;
        let place = Place { text: name, is_const: false, links: None, null: self.request.null };
        if let Some((word, returned)) = self.shapes.input(ty) {
            let value = self.input(word, returned);
            out.line(&format!("{declared} = {value};"));
            return Ok(());
        }
        if let Type::Pointer { to, .. } = *self.shapes.get(ty) {
            // Static, so that what it leads to is not lost when the driver returns.
            out.line(&format!("static {declared};"));
            let is_array = !matches!(self.shapes.get(to), Type::Function(_) | Type::Record(_));
            let size = is_array.then(|| format!("{name}_elements"));
            if let Some(size) = &size {
                out.line(&format!("{} {size} = 0;", self.size().0));
            }
            return self.pointer(out, place, ty, size, calls);
        }
        out.line(&format!("{declared};"));
        self.fill(out, place, ty, calls)
    }

    /// The function that gives variables at file level any value.
    fn globals(&mut self, calls: &mut Vec<Kind>) -> Result<String, Stuck> {
        let mut out = Lines::default();
        out.open("static void parallax_globals(void)");
        let globals: Vec<_> = self.shapes.globals().map(|(name, v)| (name, v.ty)).collect();
        for (name, ty) in globals {
            let place = Place { text: name, is_const: false, links: None, null: true };
            self.fill(&mut out, place, ty, calls)?;
        }
        out.close();
        Ok(out.text().to_owned())
    }

    /// Stores an arbitrary value.
    fn fill(
        &mut self,
        out: &mut Lines,
        place: Place<'_>,
        ty: Id<Type>,
        calls: &mut Vec<Kind>,
    ) -> Result<(), Stuck> {
        if let Some((word, returned)) = self.shapes.input(ty) {
            let value = self.input(word, returned);
            let to = self.written(place, ty)?;
            out.line(&format!("{to} = {value};"));
            return Ok(());
        }
        match self.shapes.get(ty) {
            Type::Pointer { .. } => {
                let text = self.written(place, ty)?;
                self.pointer(out, Place { text: &text, ..place }, ty, None, calls)
            }
            Type::Array { of, length: ArrayLength::Fixed(n) } => {
                if *n > SINGLE && !self.shapes.has_pointers(*of) {
                    self.library.insert("memory");
                    let text = place.text;
                    out.line(&format!("__VERIFIER_nondet_memory((void *)&{text}, sizeof {text});"));
                    return Ok(());
                }
                let (size, _) = self.size();
                let i = format!("i{}", self.number());
                out.open(&format!("for ({size} {i} = 0; {i} < {n}; {i}++)"));
                let element = format!("{}[{i}]", place.text);
                self.fill(out, Place { text: &element, ..place }, *of, calls)?;
                out.close();
                Ok(())
            }
            // A flexible array has no elements.
            Type::Array { length: ArrayLength::Unknown, .. } => Ok(()),
            Type::Record(record) if self.shapes.program.types.records[*record].is_complete => {
                let left = place.links.unwrap_or(self.links - 1);
                let filler = self.filler_of((ty, left), calls)?;
                let cast = match place.is_const {
                    true => format!("({})", self.shapes.declare(ty, "*")?),
                    false => String::new(),
                };
                out.line(&format!("{filler}({cast}&{});", place.text));
                Ok(())
            }
            _ => {
                let what = self.shapes.declare(ty, "")?;
                Err(format!("there is no arbitrary value of type `{what}`"))
            }
        }
    }

    /// The place as something that can be written.
    fn written(&self, place: Place<'_>, ty: Id<Type>) -> Result<String, Stuck> {
        Ok(match place.is_const {
            true => format!("*({})&{}", self.shapes.declare(ty, "*")?, place.text),
            false => place.text.to_owned(),
        })
    }

    /// Makes a pointer lead to something of its own, or nowhere.
    fn pointer(
        &mut self,
        out: &mut Lines,
        place: Place<'_>,
        ty: Id<Type>,
        size: Option<String>,
        calls: &mut Vec<Kind>,
    ) -> Result<(), Stuck> {
        let Type::Pointer { to, .. } = *self.shapes.get(ty) else { return Err(String::new()) };
        let text = place.text;
        let is_link = place.links.is_some() && self.shapes.is_link(ty, to);
        self.used.chains |= is_link;
        self.used.pointers = true;
        if is_link && place.links == Some(0) {
            out.line(&format!("{text} = 0;"));
            return Ok(());
        }
        let null = place.null || is_link;
        if null {
            out.line(&format!("{text} = 0;"));
            let some = self.input("bool", "_Bool");
            out.open(&format!("if ({some})"));
        }
        // What follows a link has fewer links before it.
        let links = place.links.filter(|_| is_link);
        match self.shapes.get(to) {
            Type::Function(_) => {
                self.used.functions = true;
                let next = self.unknown.len() + 1;
                let name =
                    self.unknown.entry(to).or_insert_with(|| format!("parallax_unknown{next}"));
                out.line(&format!("{text} = {name};"));
            }
            Type::Record(record) => {
                let record = &self.shapes.program.types.records[*record];
                self.library.insert("malloc");
                if record.is_complete {
                    let left = links.unwrap_or(self.links) - 1;
                    let filler = self.filler_of((to, left), calls)?;
                    let object = format!("object{}", self.number());
                    if !null {
                        out.open("");
                    }
                    out.line(&format!(
                        "{} = malloc(sizeof *{object});",
                        self.shapes.declare(to, &format!("*{object}"))?
                    ));
                    out.line(&format!("{filler}({object});"));
                    out.line(&format!("{text} = {object};"));
                    if !null {
                        out.close();
                    }
                } else if record.name.as_deref() == Some("_IO_FILE") {
                    self.library.insert("fopen");
                    out.line(&format!("{text} = fopen(\"\", \"r+\");"));
                } else {
                    self.used.opaque = true;
                    out.line(&format!("{text} = malloc(1);"));
                }
            }
            _ => self.array(out, place, to, (links, null), size, calls)?,
        }
        if null {
            out.close();
        }
        Ok(())
    }

    /// Makes a pointer lead to an array of free size.
    fn array(
        &mut self,
        out: &mut Lines,
        place: Place<'_>,
        of: Id<Type>,
        (links, null): (Option<u32>, bool),
        named: Option<String>,
        calls: &mut Vec<Kind>,
    ) -> Result<(), Stuck> {
        self.library.extend(["malloc", "assume"]);
        let number = self.number();
        let (array, i) = (format!("array{number}"), format!("i{number}"));
        let (size_type, word) = self.size();
        let any = self.input(word, size_type);
        let (is_void, is_text) = match self.shapes.get(of) {
            Type::Void => (true, false),
            Type::Int(IntKind::Char) => (false, true),
            _ => (false, false),
        };
        self.used.strings |= is_text;
        self.used.arrays |= !is_text;
        // Conditions may name the size of an argument.
        if !null {
            out.open("");
        }
        let size = match named {
            Some(name) => {
                out.line(&format!("{name} = {any};"));
                name
            }
            None => {
                let name = format!("size{number}");
                out.line(&format!("{size_type} {name} = {any};"));
                name
            }
        };
        let most = self.request.elements.max(1);
        out.line(&format!("__VERIFIER_assume(1 <= {size} && {size} <= {most});"));
        let declared = match self.shapes.get(of) {
            Type::Void => format!("unsigned char *{array}"),
            Type::Array { .. } => self.shapes.declare(of, &format!("(*{array})"))?,
            _ => self.shapes.declare(of, &format!("*{array}"))?,
        };
        out.line(&format!("{declared} = malloc({size} * sizeof *{array});"));
        out.open(&format!("for ({size_type} {i} = 0; {i} < {size}; {i}++)"));
        let element = format!("{array}[{i}]");
        if is_void {
            let value = self.input("uchar", "unsigned char");
            out.line(&format!("{element} = {value};"));
        } else {
            let place = Place { text: &element, is_const: false, links, null: place.null };
            self.fill(out, place, of, calls)?;
        }
        out.close();
        if is_text {
            out.line(&format!("{array}[{size} - 1] = 0;"));
        }
        out.line(&format!("{} = {array};", place.text));
        if !null {
            out.close();
        }
        Ok(())
    }

    /// The function that fills a record.
    fn filler_of(&mut self, kind: Kind, calls: &mut Vec<Kind>) -> Result<String, Stuck> {
        calls.push(kind);
        if let Some((name, _)) = self.fillers.get(&kind) {
            return Ok(name.clone());
        }
        let mut name = format!("parallax_fill_{}", self.shapes.word(kind.0)?);
        if kind.1 + 1 < self.links {
            name.push_str(&format!("_{}", kind.1));
        }
        self.fillers.insert(kind, (name.clone(), Vec::new()));
        self.open.push(kind);
        Ok(name)
    }

    /// The head and the text of a function that fills a record.
    fn filler(&mut self, kind: Kind) -> Result<(String, String), Stuck> {
        let name = self.fillers.get(&kind).map(|(name, _)| name.clone()).unwrap_or_default();
        let head = format!("static void {name}({})", self.shapes.declare(kind.0, "*it")?);
        let mut out = Lines::default();
        out.open(&head);
        let mut calls = Vec::new();
        if let Type::Record(record) = self.shapes.get(kind.0) {
            self.members(&mut out, *record, kind, &mut calls)?;
        }
        out.close();
        if let Some((_, known)) = self.fillers.get_mut(&kind) {
            *known = calls;
        }
        Ok((head, out.text().to_owned()))
    }

    /// Fills the members of a record, or one of those of a union.
    fn members(
        &mut self,
        out: &mut Lines,
        record: Id<parallax_cfa::Record>,
        kind: Kind,
        calls: &mut Vec<Kind>,
    ) -> Result<(), Stuck> {
        let record = &self.shapes.program.types.records[record];
        if !record.is_union {
            for member in &record.members {
                self.member(out, member, kind, calls)?;
            }
            return Ok(());
        }
        let (last, others) = match record.members.split_last() {
            Some(split) => split,
            None => return Ok(()),
        };
        let which = format!("which{}", self.number());
        let any = self.input("uint", "unsigned int");
        out.line(&format!("unsigned int {which} = {any};"));
        for (number, member) in others.iter().enumerate() {
            out.open(&format!("if ({which} == {number})"));
            self.member(out, member, kind, calls)?;
            out.close();
        }
        out.open(&format!("if ({which} >= {})", others.len()));
        self.member(out, last, kind, calls)?;
        out.close();
        Ok(())
    }

    fn member(
        &mut self,
        out: &mut Lines,
        member: &Member,
        kind: Kind,
        calls: &mut Vec<Kind>,
    ) -> Result<(), Stuck> {
        let Some(name) = &member.name else {
            return match self.shapes.get(member.ty) {
                // The members of a record without a name are those of the one around it.
                Type::Record(inner) if member.bits.is_none() => {
                    self.members(out, *inner, kind, calls)
                }
                _ => Ok(()),
            };
        };
        let is_const = member.qualifiers.is_const;
        if is_const && member.bits.is_some() {
            return Ok(());
        }
        let place = format!("it->{name}");
        let place = Place { text: &place, is_const, links: Some(kind.1), null: self.request.null };
        self.fill(out, place, member.ty, calls)
    }
}
