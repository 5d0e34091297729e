//! Declaration specifiers: storage, qualifiers, and the type said by keywords.

use super::scope::Meaning;
use super::{Parse, Parser, Reported};
use crate::ast::{
    AlignAs, Basic, DeclSpecifiers, Specifier, StorageClass, TypeName, TypeSpecifier,
};
use crate::lex::Kind;
use parallax_base::{Diagnostic, Span};
use parallax_cfa::{FloatKind, IntKind, Qualifiers};

/// The keywords of an arithmetic type, counted.
#[derive(Default)]
struct Words {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    int: u8,
    complex: u8,
    /// `char`, `double`, `void` and so on: those that stand alone or nearly so.
    main: Option<Kind>,
    clash: bool,
}

impl Words {
    fn any(&self) -> bool {
        self.main.is_some()
            || self.signed + self.unsigned + self.short + self.long + self.int + self.complex > 0
    }

    fn add(&mut self, kind: Kind) {
        let counter = match kind {
            Kind::Signed => &mut self.signed,
            Kind::Unsigned => &mut self.unsigned,
            Kind::Short => &mut self.short,
            Kind::Long => &mut self.long,
            Kind::Int => &mut self.int,
            Kind::Complex => &mut self.complex,
            _ => {
                self.clash |= self.main.is_some();
                self.main = Some(kind);
                return;
            }
        };
        *counter = counter.saturating_add(1);
        self.clash |= *counter > if kind == Kind::Long { 2 } else { 1 };
    }

    /// The type, or `None` if the words do not fit together.
    fn basic(&self) -> Option<Basic> {
        if self.clash || self.signed > 0 && self.unsigned > 0 || self.short > 0 && self.long > 0 {
            return None;
        }
        let sign = self.signed + self.unsigned;
        let size = self.short + self.long;
        let pick =
            |signed, unsigned| Some(Basic::Int(if self.unsigned > 0 { unsigned } else { signed }));
        let alone = sign + size + self.int == 0;
        let float =
            |kind| Some(if self.complex > 0 { Basic::Complex(kind) } else { Basic::Float(kind) });
        let real = |basic| (self.complex == 0).then_some(basic);
        match self.main {
            Some(Kind::FloatType | Kind::Float32) if alone => float(FloatKind::Float),
            Some(Kind::Double) if sign + self.short + self.int == 0 && self.long <= 1 => {
                float(if self.long == 1 { FloatKind::LongDouble } else { FloatKind::Double })
            }
            Some(Kind::Float64) if alone => float(FloatKind::Double),
            Some(Kind::Float64x) if alone => float(FloatKind::LongDouble),
            Some(Kind::Float128) if alone => float(FloatKind::Float128),
            Some(Kind::Void) if alone => real(Basic::Void),
            Some(Kind::AutoType) if alone => real(Basic::Auto),
            Some(Kind::Bool) if alone => real(Basic::Int(IntKind::Bool)),
            Some(Kind::Int128) if size + self.int + self.complex == 0 => {
                pick(IntKind::Int128, IntKind::UInt128)
            }
            Some(Kind::CharType) if size + self.int + self.complex == 0 => {
                if sign == 0 {
                    Some(Basic::Int(IntKind::Char))
                } else {
                    pick(IntKind::SChar, IntKind::UChar)
                }
            }
            None if self.complex > 0 => {
                // `_Complex` alone is double. Complex integers are not supported.
                if alone { float(FloatKind::Double) } else { None }
            }
            None => match (self.short, self.long) {
                (1, _) => pick(IntKind::Short, IntKind::UShort),
                (_, 1) => pick(IntKind::Long, IntKind::ULong),
                (_, 2) => pick(IntKind::LongLong, IntKind::ULongLong),
                _ => pick(IntKind::Int, IntKind::UInt),
            },
            Some(_) => None,
        }
    }
}

impl Parser<'_> {
    /// Names of types that the compiler knows without a declaration.
    pub(super) fn declare_builtins(&mut self) {
        for name in ["__builtin_va_list", "__int128_t", "__uint128_t"] {
            if let Some(symbol) = self.names.find(name) {
                self.scopes.declare(symbol, Meaning::Builtin);
            }
        }
    }

    /// Whether a token can only begin a declaration or a type name. For
    /// attributes and `__extension__` see the callers.
    pub(super) fn begins_type(&self, at: usize) -> bool {
        let token = self.tokens[at.min(self.tokens.len() - 1)];
        match token.kind {
            Kind::Name => self.is_typedef(token),
            kind => is_specifier(kind),
        }
    }

    /// Whether a declaration begins at the current token.
    pub(super) fn begins_declaration(&self) -> bool {
        let mut at = self.at;
        while self.tokens[at].kind == Kind::Extension {
            at += 1;
        }
        self.begins_type(at)
    }

    /// Reads specifiers as long as there are any.
    pub(super) fn specifiers(&mut self) -> Parse<DeclSpecifiers> {
        let start = self.at;
        let mut words = Words::default();
        let mut found = DeclSpecifiers {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            qualifiers: Qualifiers::default(),
            ty: None,
            align: Vec::new(),
            attributes: Vec::new(),
            span: self.here(),
        };
        loop {
            let (kind, at) = (self.kind(), self.at);
            let typed = found.ty.is_some() || words.any();
            match kind {
                Kind::Typedef | Kind::Extern | Kind::Static | Kind::Auto | Kind::Register => {
                    self.bump();
                    self.storage(kind, at, &mut found);
                }
                _ if self.qualifier(&mut found.qualifiers) => {}
                Kind::Inline => {
                    self.bump();
                    found.inline = true;
                }
                Kind::Noreturn => {
                    self.bump();
                    found.noreturn = true;
                }
                Kind::ThreadLocal => {
                    self.bump();
                    found.thread_local = true;
                }
                Kind::Extension => self.bump(),
                Kind::Attribute => self.attributes(&mut found.attributes)?,
                Kind::LBracket if self.ahead(1) == Kind::LBracket => {
                    self.attributes(&mut found.attributes)?;
                }
                Kind::Alignas => {
                    let align = self.alignas()?;
                    found.align.push(align);
                }
                Kind::Struct | Kind::Union | Kind::Enum | Kind::Typeof | Kind::Atomic => {
                    let specifier = self.specifier()?;
                    let id = self.unit.specifiers.push(specifier);
                    self.set_type(&mut found, typed, at, TypeSpecifier::Complex(id));
                }
                Kind::FloatOther => {
                    let name = self.spelling(self.token()).to_owned();
                    let message = format!("the type `{name}` is not supported");
                    return Err(self.error("C0023", self.here(), message));
                }
                kind if is_basic(kind) => {
                    self.bump();
                    if found.ty.is_some() {
                        self.two_types(at);
                    } else {
                        words.add(kind);
                    }
                }
                Kind::Name if !typed && self.takes_name_as_type() => {
                    let ty = self.named_type();
                    found.ty = Some(ty);
                }
                _ => break,
            }
        }
        if words.any() {
            match words.basic() {
                Some(basic) => found.ty = Some(TypeSpecifier::Basic(basic)),
                None => {
                    let message = "these words do not make a type together";
                    let error = Diagnostic::error("C0022", self.since(start), message);
                    self.report(error.label("no such type"));
                    found.ty = Some(TypeSpecifier::Basic(Basic::Int(IntKind::Int)));
                }
            }
        }
        found.noreturn |= found.attributes.iter().any(|a| &*a.name == "noreturn");
        if self.at > start {
            found.span = self.since(start);
        }
        Ok(found)
    }

    fn storage(&mut self, kind: Kind, at: usize, found: &mut DeclSpecifiers) {
        let class = match kind {
            Kind::Typedef => StorageClass::Typedef,
            Kind::Extern => StorageClass::Extern,
            Kind::Static => StorageClass::Static,
            Kind::Auto => StorageClass::Auto,
            _ => StorageClass::Register,
        };
        if found.storage.is_some_and(|old| old != class) {
            let message = "a declaration has at most one storage class";
            self.error("C0024", self.spans[at], message);
        }
        found.storage = Some(class);
    }

    fn set_type(&mut self, found: &mut DeclSpecifiers, typed: bool, at: usize, ty: TypeSpecifier) {
        if typed {
            self.two_types(at);
        } else {
            found.ty = Some(ty);
        }
    }

    fn two_types(&mut self, at: usize) -> Reported {
        let error = Diagnostic::error("C0022", self.since(at), "a second type in one declaration");
        self.report(error.label("a type was already given").help("is a `;` missing before it?"))
    }

    /// Whether the name at the current token is to be read as a type: it is a
    /// typedef, or nothing else makes sense and an error is reported.
    fn takes_name_as_type(&mut self) -> bool {
        let token = self.token();
        if self.is_typedef(token) {
            return true;
        }
        if !matches!(self.ahead(1), Kind::Name | Kind::Star) {
            return false;
        }
        self.unknown_type();
        true
    }

    /// Reports that the name at the current token is no type, once per name.
    pub(super) fn unknown_type(&mut self) {
        let token = self.token();
        let name = self.symbol_text(token.symbol);
        let error = Diagnostic::error("C0021", self.here(), format!("unknown type name `{name}`"));
        self.report(
            error
                .label("not declared as a type")
                .help("declare it with `typedef`, or include the header that does"),
        );
        if self.quiet == 0 {
            self.scopes.declare(token.symbol, Meaning::Typedef);
        }
    }

    fn named_type(&mut self) -> TypeSpecifier {
        let (symbol, name) = self.take_name();
        if self.scopes.meaning(symbol) != Meaning::Builtin {
            return TypeSpecifier::Typedef(name);
        }
        TypeSpecifier::Basic(match &*name.text {
            "__int128_t" => Basic::Int(IntKind::Int128),
            "__uint128_t" => Basic::Int(IntKind::UInt128),
            _ => Basic::VaList,
        })
    }

    /// Reads a qualifier if there is one. `_Atomic(` begins a specifier.
    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.kind() {
            Kind::Const => qualifiers.is_const = true,
            Kind::Volatile => qualifiers.is_volatile = true,
            Kind::Restrict => qualifiers.is_restrict = true,
            Kind::Atomic if self.ahead(1) != Kind::LParen => qualifiers.is_atomic = true,
            Kind::AddressSpace => {}
            _ => return false,
        }
        self.bump();
        true
    }

    fn specifier(&mut self) -> Parse<Specifier> {
        let start = self.at;
        match self.kind() {
            Kind::Struct | Kind::Union => self.nested(Self::record),
            Kind::Enum => self.enumeration(),
            Kind::Atomic => {
                self.bump();
                let ty = self.parenthesized_type()?;
                Ok(Specifier::Atomic(ty, self.since(start)))
            }
            _ => {
                self.bump();
                self.expect(Kind::LParen, " after `typeof`")?;
                if self.begins_declaration() {
                    let ty = self.type_name()?;
                    self.expect(Kind::RParen, "")?;
                    Ok(Specifier::TypeofType(ty, self.since(start)))
                } else {
                    let expr = self.expression()?;
                    self.expect(Kind::RParen, "")?;
                    Ok(Specifier::TypeofExpr(expr, self.since(start)))
                }
            }
        }
    }

    fn alignas(&mut self) -> Parse<AlignAs> {
        self.bump();
        self.expect(Kind::LParen, " after `_Alignas`")?;
        let align = if self.begins_declaration() {
            AlignAs::Type(Box::new(self.type_name()?))
        } else {
            AlignAs::Expr(self.conditional()?)
        };
        self.expect(Kind::RParen, "")?;
        Ok(align)
    }

    /// `( type-name )`
    pub(super) fn parenthesized_type(&mut self) -> Parse<TypeName> {
        self.expect(Kind::LParen, "")?;
        let ty = self.type_name()?;
        self.expect(Kind::RParen, " after the type")?;
        Ok(ty)
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self) -> Parse<TypeName> {
        self.nested(|p| {
            let start = p.at;
            let specifiers = p.specifiers()?;
            if specifiers.ty.is_none() && specifiers.qualifiers == Qualifiers::default() {
                return Err(p.expected("a type"));
            }
            if let Some(span) = specifiers.storage.map(|_| specifiers.span) {
                p.storage_not_allowed(span);
            }
            let declarator = p.declarator(super::declarator::Naming::Never)?;
            Ok(TypeName { specifiers, declarator, span: p.since(start) })
        })
    }

    pub(super) fn storage_not_allowed(&mut self, span: Span) {
        self.error("C0024", span, "a storage class is not allowed here");
    }
}

fn is_basic(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        Void | CharType
            | Short
            | Int
            | Long
            | FloatType
            | Double
            | Signed
            | Unsigned
            | Bool
            | Complex
            | AutoType
            | Int128
            | Float32
            | Float64
            | Float64x
            | Float128
    )
}

/// Whether a keyword is a declaration specifier.
fn is_specifier(kind: Kind) -> bool {
    use Kind::*;
    is_basic(kind)
        || matches!(
            kind,
            Auto | Extern
                | Register
                | Static
                | Typedef
                | ThreadLocal
                | Const
                | Volatile
                | Restrict
                | Atomic
                | AddressSpace
                | Inline
                | Noreturn
                | Alignas
                | Struct
                | Union
                | Enum
                | Typeof
                | Attribute
                | FloatOther
        )
}
