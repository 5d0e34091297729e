//! The text of an API against the declarations of the program.
//!
//! Whatever does not fit is a diagnostic with the place in the API text, the
//! place of the declaration, and what to write instead.

use crate::api::{Api, MOST, Maker, MakerKind, Operation, Parameter, ResultUse};
use crate::api_file::{ApiText, ArgumentText, MakerText, OperationText};
use crate::diagnose::{BAD_API, MISMATCH, NO_FUNCTION, error_at, nearest};
use crate::given::{self, Passing};
use parallax_base::{Diagnostic, Diagnostics, Id, Span};
use parallax_cfa::{Function, FunctionType, Printer, Program, Type};
use std::collections::BTreeMap;
use toml::Spanned;

struct Resolver<'a> {
    text: &'a ApiText,
    program: &'a Program,
    found: Diagnostics,
}

/// Checks an API text against a program.
pub fn resolve(text: &ApiText, program: &Program) -> Result<Api, Diagnostics> {
    let mut resolver = Resolver { text, program, found: Diagnostics::default() };
    let api = resolver.api();
    match api {
        Some(api) if !resolver.found.has_errors() => Ok(api),
        _ => Err(resolver.found),
    }
}

impl<'a> Resolver<'a> {
    fn api(&mut self) -> Option<Api> {
        let text = self.text;
        if text.operation.is_empty() {
            let message = "the API has no operation";
            self.found.push(
                error_at(BAD_API, text.whole(), message)
                    .help("add one: [[operation]] with call = \"FUNCTION\""),
            );
            return None;
        }
        let empty = MakerText::default();
        let parts = text.container.as_ref().map_or(&empty, |part| part.get_ref());
        let pointer = self.container_type(parts);
        let container = self.maker(parts, pointer)?;
        let model = match &text.model {
            None => None,
            Some(part) => {
                let of = part.get_ref();
                let pointer = match &of.new {
                    Some(new) => self.made_type(new),
                    None => self.model_type(),
                };
                Some(self.maker(of, pointer)?)
            }
        };
        let invariant = parts.invariant.as_ref().map(|name| self.invariant(name, pointer));
        let abstraction = parts.abstraction.as_ref().map(|name| self.abstraction(name, pointer));
        let mut operations = Vec::new();
        for operation in &text.operation {
            operations.extend(self.operation(operation.get_ref(), &container, model.as_ref()));
        }
        Some(Api {
            container,
            model,
            operations,
            invariant: invariant.flatten(),
            abstraction: abstraction.flatten(),
        })
    }

    fn span(&self, name: &Spanned<String>) -> Span {
        self.text.span(name.span())
    }

    /// The function of a name.
    fn function(&mut self, name: &Spanned<String>) -> Option<Id<Function>> {
        let wanted = name.get_ref().as_str();
        let mut functions = self.program.functions.iter_enumerated();
        if let Some((id, function)) = functions.find(|(_, f)| &*f.name == wanted) {
            if function.is_defined {
                return Some(id);
            }
            let message = format!("`{wanted}` is declared but has no body");
            self.found.push(
                error_at(NO_FUNCTION, self.span(name), &message)
                    .also(function.span, "declared here")
                    .help("name the C file that defines it as well"),
            );
            return None;
        }
        let message = format!("the program has no function `{wanted}`");
        let mut diagnostic = error_at(NO_FUNCTION, self.span(name), &message);
        let names = self.program.functions.iter().filter(|f| f.is_defined).map(|f| &*f.name);
        diagnostic = match nearest(wanted, names) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("functions are named as in the C file, without parentheses"),
        };
        self.found.push(diagnostic);
        None
    }

    fn signature(&self, function: Id<Function>) -> Option<&'a FunctionType> {
        match self.program.types.get(self.program.functions[function].ty) {
            Type::Function(ty) => Some(ty),
            _ => None,
        }
    }

    fn mismatch(&mut self, span: Span, function: Id<Function>, message: String, help: &str) {
        let declared = &self.program.functions[function];
        self.found.push(
            Diagnostic::error(MISMATCH, span, message)
                .also(declared.span, "declared here")
                .help(help),
        );
    }

    fn is_pointer(&self, ty: Id<Type>) -> bool {
        matches!(self.program.types.get(ty), Type::Pointer { .. })
    }

    fn is_integer(&self, ty: Id<Type>) -> bool {
        self.program.types.int_kind(ty).is_some()
    }

    fn show(&self, ty: Id<Type>) -> String {
        Printer::new(self.program).ty(ty)
    }

    /// Whether a pointer to the container can be passed for this parameter.
    fn takes(&self, ty: Id<Type>, container: Id<Type>) -> bool {
        let types = &self.program.types;
        match (types.pointee(ty), types.pointee(container)) {
            (Some(a), Some(b)) => a == b || *types.get(a) == Type::Void,
            _ => false,
        }
    }

    /// The type of a pointer to what a function makes.
    fn made_type(&mut self, new: &Spanned<String>) -> Option<Id<Type>> {
        let names = self.program.functions.iter_enumerated();
        let (id, _) = names.into_iter().find(|(_, f)| *f.name == **new.get_ref())?;
        let ty = self.signature(id)?;
        if self.is_pointer(ty.result) {
            return Some(ty.result);
        }
        ty.parameters.first().copied().filter(|ty| self.is_pointer(*ty))
    }

    /// The type of a pointer to the container.
    fn container_type(&mut self, parts: &MakerText) -> Option<Id<Type>> {
        if let Some(new) = &parts.new {
            return self.made_type(new);
        }
        let first = self.text.operation.first()?;
        self.first_pointer(&first.get_ref().call)
    }

    fn model_type(&mut self) -> Option<Id<Type>> {
        let name = self.text.operation.iter().find_map(|o| o.get_ref().model.as_ref())?;
        self.first_pointer(name)
    }

    fn first_pointer(&self, name: &Spanned<String>) -> Option<Id<Type>> {
        let mut functions = self.program.functions.iter_enumerated();
        let (id, _) = functions.find(|(_, f)| *f.name == **name.get_ref())?;
        let parameters = &self.signature(id)?.parameters;
        parameters.iter().copied().find(|ty| self.is_pointer(*ty))
    }

    fn maker(&mut self, parts: &MakerText, pointer: Option<Id<Type>>) -> Option<Maker> {
        let arguments: Vec<i64> = parts.arguments.iter().map(|a| *a.get_ref()).collect();
        let delete = match &parts.delete {
            None => None,
            Some(name) => Some(self.function(name)?),
        };
        let Some(new) = &parts.new else {
            let returned =
                self.text.operation.iter().any(|o| {
                    o.get_ref().result.as_ref().is_some_and(|r| r.get_ref() == "container")
                });
            let kind = match pointer {
                None => MakerKind::Global(None),
                Some(_) if returned => MakerKind::Null,
                Some(_) => MakerKind::Zeroed,
            };
            let count = self.count(parts, pointer)?;
            return Some(Maker { kind, arguments, delete, pointer, count });
        };
        let function = self.function(new)?;
        let ty = self.signature(function)?;
        let returns = self.is_pointer(ty.result);
        let takes = ty.parameters.first().is_some_and(|ty| self.is_pointer(*ty));
        let kind = match (returns, takes) {
            (true, _) => MakerKind::Returned(function),
            (false, true) => MakerKind::Initialized(function),
            (false, false) => MakerKind::Global(Some(function)),
        };
        let wanted = ty.parameters.len() - usize::from(matches!(kind, MakerKind::Initialized(_)));
        if wanted != arguments.len() {
            let message = format!(
                "`{}` takes {wanted} further argument(s), and {} are given",
                new.get_ref(),
                arguments.len()
            );
            let span = self.span(new);
            let help = "give constants for them: arguments = [...]";
            self.mismatch(span, function, message, help);
            return None;
        }
        let count = self.count(parts, pointer)?;
        Some(Maker { kind, arguments, delete, pointer, count })
    }

    /// How many containers a sequence has.
    fn count(&mut self, parts: &MakerText, pointer: Option<Id<Type>>) -> Option<usize> {
        let Some(count) = &parts.count else { return Some(1) };
        let has_model = self.text.model.is_some();
        let message = match *count.get_ref() {
            1 => return Some(1),
            _ if pointer.is_none() => "a container in static variables is there once",
            _ if has_model => "only one container is compared with a model",
            many if many > 1 && many <= MOST as i64 => return Some(many as usize),
            _ => "a sequence has between 1 and 4 containers",
        };
        self.found.push(error_at(BAD_API, self.text.span(count.span()), message));
        None
    }

    /// A function of the container alone.
    fn of_container(
        &mut self,
        name: &Spanned<String>,
        pointer: Option<Id<Type>>,
        what: &str,
    ) -> Option<Id<Function>> {
        let function = self.function(name)?;
        let ty = self.signature(function)?;
        let fits = match (&ty.parameters[..], pointer) {
            ([], None) => true,
            ([only], Some(container)) => self.takes(*only, container),
            _ => false,
        };
        if !fits {
            let message = format!("{what} `{}` does not take the container alone", name.get_ref());
            let span = self.span(name);
            self.mismatch(span, function, message, "it has one parameter, the container");
            return None;
        }
        Some(function)
    }

    fn invariant(&mut self, name: &Spanned<String>, of: Option<Id<Type>>) -> Option<Id<Function>> {
        let function = self.of_container(name, of, "the invariant")?;
        let result = self.signature(function)?.result;
        if !self.is_integer(result) {
            let message = format!("the invariant `{}` returns no number", name.get_ref());
            let span = self.span(name);
            self.mismatch(span, function, message, "it returns not zero if all is well");
            return None;
        }
        Some(function)
    }

    fn abstraction(
        &mut self,
        name: &Spanned<String>,
        of: Option<Id<Type>>,
    ) -> Option<Id<Function>> {
        let function = self.of_container(name, of, "the abstraction")?;
        let result = self.signature(function)?.result;
        if !self.is_integer(result) && !self.is_pointer(result) {
            let message = format!("the abstraction `{}` returns no bit string", name.get_ref());
            let span = self.span(name);
            let help = "it returns a number, or a string such as \"0110\"";
            self.mismatch(span, function, message, help);
            return None;
        }
        Some(function)
    }

    fn operation(
        &mut self,
        text: &OperationText,
        container: &Maker,
        model: Option<&Maker>,
    ) -> Option<Operation> {
        let function = self.function(&text.call)?;
        let ty = self.signature(function)?;
        let parameters = match &text.arguments {
            None => self.guess(&text.call, function, ty, container)?,
            Some(arguments) => self.arguments(text, function, ty, arguments, container)?,
        };
        let several = |parameter: Parameter| match parameter {
            Parameter::Container if container.count > 1 => Parameter::Chosen(container.count),
            other => other,
        };
        let parameters: Vec<Parameter> = parameters.into_iter().map(several).collect();
        let taken = parameters.iter().filter(|p| matches!(p, Parameter::Chosen(_))).count();
        if taken > container.count {
            let message =
                format!("this takes {taken} containers, and there are {}", container.count);
            self.found.push(error_at(BAD_API, self.span(&text.call), &message));
            return None;
        }
        let result = match &text.result {
            None if self.is_pointer(ty.result) => ResultUse::Pointer,
            None => match self.program.types.scalar(ty.result) {
                Some(scalar) if !scalar.is_float() => ResultUse::Scalar(scalar),
                _ => ResultUse::Nothing,
            },
            Some(word) => self.result_use(word, function, ty, container)?,
        };
        let model = match (&text.model, model) {
            (None, _) => None,
            (Some(name), None) => {
                let message = "there is no [model] to call this on";
                let span = self.span(name);
                self.found.push(
                    error_at(BAD_API, span, message).help("add a table [model] with new = \"...\""),
                );
                return None;
            }
            (Some(name), Some(_)) => Some(self.model_function(name, ty)?),
        };
        let name = text.call.get_ref().clone();
        Some(Operation { name, function, parameters, result, model })
    }

    fn model_function(
        &mut self,
        name: &Spanned<String>,
        of: &FunctionType,
    ) -> Option<Id<Function>> {
        let function = self.function(name)?;
        let ty = self.signature(function)?;
        if ty.parameters.len() != of.parameters.len() {
            let message = format!(
                "`{}` has {} parameter(s), the operation has {}",
                name.get_ref(),
                ty.parameters.len(),
                of.parameters.len()
            );
            let span = self.span(name);
            self.mismatch(span, function, message, "both are called with the same values");
            return None;
        }
        Some(function)
    }

    fn result_use(
        &mut self,
        word: &Spanned<String>,
        function: Id<Function>,
        ty: &FunctionType,
        container: &Maker,
    ) -> Option<ResultUse> {
        let span = self.span(word);
        match word.get_ref().as_str() {
            "ignore" => Some(ResultUse::Nothing),
            "container" if container.pointer.is_some_and(|p| self.takes(ty.result, p)) => {
                Some(ResultUse::Container)
            }
            "container" => {
                let name = &self.program.functions[function].name;
                let message =
                    format!("`{name}` returns `{}`, which is no container", self.show(ty.result));
                self.mismatch(span, function, message, "leave `result` out");
                None
            }
            _ => {
                let message = "the result is \"container\" or \"ignore\"";
                self.found.push(error_at(BAD_API, span, message));
                None
            }
        }
    }

    /// Records that are listed for a parameter.
    fn records(
        &mut self,
        list: &[BTreeMap<String, i64>],
        ty: Id<Type>,
        span: Span,
    ) -> Option<Parameter> {
        let Some(passing) = given::passing(self.program, ty) else {
            let message =
                format!("a `{}` is no structure with a tag, nor a pointer to one", self.show(ty));
            self.found.push(error_at(MISMATCH, span, &message));
            return None;
        };
        let (Passing::Record(of) | Passing::Pointer(of)) = passing else { return None };
        let made: Result<Vec<_>, _> =
            list.iter().map(|members| given::record(self.program, of, members)).collect();
        match made {
            Ok(all) => Some(Parameter::Given(passing, all)),
            Err(message) => {
                self.found.push(error_at(MISMATCH, span, &message));
                None
            }
        }
    }

    /// Parameters by their types: a pointer is the container, a number a value.
    fn guess(
        &mut self,
        name: &Spanned<String>,
        function: Id<Function>,
        ty: &FunctionType,
        container: &Maker,
    ) -> Option<Vec<Parameter>> {
        let mut parameters = Vec::new();
        for (at, parameter) in ty.parameters.iter().enumerate() {
            if container.pointer.is_some_and(|pointer| self.takes(*parameter, pointer)) {
                parameters.push(Parameter::Container);
            } else if self.is_integer(*parameter) {
                parameters.push(Parameter::Value { first: 0 });
            } else {
                let message = format!(
                    "what to pass for parameter {} of `{}`, a `{}`, is not clear",
                    at + 1,
                    name.get_ref(),
                    self.show(*parameter)
                );
                let span = self.span(name);
                let help = "say it: arguments = [\"container\", \"value\", 0]";
                self.mismatch(span, function, message, help);
                return None;
            }
        }
        Some(parameters)
    }

    fn arguments(
        &mut self,
        text: &OperationText,
        function: Id<Function>,
        ty: &FunctionType,
        arguments: &[Spanned<ArgumentText>],
        container: &Maker,
    ) -> Option<Vec<Parameter>> {
        let name = text.call.get_ref();
        if arguments.len() != ty.parameters.len() {
            let message = format!(
                "`{name}` has {} parameter(s), and {} are given",
                ty.parameters.len(),
                arguments.len()
            );
            let span = self.span(&text.call);
            self.mismatch(span, function, message, "give one for each parameter");
            return None;
        }
        let mut parameters = Vec::new();
        for (at, (argument, ty)) in arguments.iter().zip(&ty.parameters).enumerate() {
            let span = self.text.span(argument.span());
            let parameter = match argument.get_ref() {
                ArgumentText::Word(word) if word == "container" => Parameter::Container,
                ArgumentText::Word(word) if word == "value" => Parameter::Value { first: 0 },
                ArgumentText::Constant(value) => Parameter::Constant(*value),
                ArgumentText::Range(range) if range.from <= range.to => {
                    if range.to - range.from > 1000 {
                        self.found.push(error_at(BAD_API, span, "more than 1000 values"));
                        return None;
                    }
                    Parameter::Values((range.from..=range.to).collect())
                }
                ArgumentText::Values(list) if !list.values.is_empty() => {
                    Parameter::Values(list.values.clone())
                }
                ArgumentText::First(first) => Parameter::Value { first: first.first },
                ArgumentText::Strings(list) if !list.strings.is_empty() => {
                    let all = list.strings.iter().map(|text| given::string(text));
                    Parameter::Given(Passing::String, all.collect())
                }
                ArgumentText::Records(list) if !list.records.is_empty() => {
                    self.records(&list.records, *ty, span)?
                }
                _ => {
                    self.found.push(error_at(BAD_API, span, "this is no argument").help(
                        "an argument is \"container\", \"value\", a number, \
                             { first = 1 }, { from = 1, to = 3 }, { values = [1, 5] }, \
                             { strings = [\"a\"] } or { records = [{ member = 1 }] }",
                    ));
                    return None;
                }
            };
            let fits = match parameter {
                Parameter::Container => container.pointer.is_some_and(|p| self.takes(*ty, p)),
                Parameter::Constant(0) => self.is_integer(*ty) || self.is_pointer(*ty),
                Parameter::Given(Passing::String, _) => given::takes_string(self.program, *ty),
                Parameter::Given(..) => true,
                _ => self.is_integer(*ty),
            };
            if !fits {
                let message = format!(
                    "parameter {} of `{name}` is a `{}`: this cannot be passed",
                    at + 1,
                    self.show(*ty)
                );
                let help = "\"container\" is for pointers to the container, values for numbers";
                self.mismatch(span, function, message, help);
                return None;
            }
            parameters.push(parameter);
        }
        Some(parameters)
    }
}
