//! The kinds of tokens, the keywords with all their spellings, and interned names.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name or keyword of one translation unit.
pub(crate) type Symbol = u32;

/// A token: its kind and its bytes in the text that was lexed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The name; meaningless unless it is one, or a keyword.
    pub(crate) symbol: Symbol,
    pub(crate) lo: u32,
    pub(crate) hi: u32,
}

macro_rules! kinds {
    (
        punctuators { $($punct:ident $shown:literal)* }
        keywords { $($keyword:ident $($spelling:literal)+;)* }
    ) => {
        /// What a token is. A keyword with several spellings is one kind.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kind {
            Eof,
            Name,
            Number,
            Char,
            Str,
            $($punct,)*
            $($keyword,)*
        }

        /// All keywords; the position in this list is the symbol.
        const KEYWORDS: &[(&str, Kind)] = &[$($(($spelling, Kind::$keyword),)+)*];

        impl Kind {
            /// Whether it is spelled as a word: a name or a keyword.
            pub(crate) fn is_word(self) -> bool {
                self == Kind::Name || self as u8 >= Kind::Auto as u8
            }

            /// The kind as it is written in messages.
            pub(crate) fn shown(self) -> &'static str {
                match self {
                    Kind::Eof => "end of file",
                    Kind::Name => "identifier",
                    Kind::Number => "number",
                    Kind::Char => "character constant",
                    Kind::Str => "string literal",
                    $(Kind::$punct => concat!("`", $shown, "`"),)*
                    $(Kind::$keyword => kinds!(@first $($spelling)+),)*
                }
            }
        }
    };
    (@first $first:literal $($rest:literal)*) => { concat!("`", $first, "`") };
}

kinds! {
    punctuators {
        LParen "(" RParen ")" LBracket "[" RBracket "]" LBrace "{" RBrace "}"
        Semi ";" Comma "," Colon ":" Question "?" Dot "." Arrow "->" Ellipsis "..."
        Plus "+" Minus "-" Star "*" Slash "/" Percent "%" Tilde "~" Bang "!"
        Amp "&" Pipe "|" Caret "^" AmpAmp "&&" PipePipe "||"
        Shl "<<" Shr ">>" EqEq "==" BangEq "!=" Less "<" LessEq "<=" Greater ">" GreaterEq ">="
        PlusPlus "++" MinusMinus "--"
        Eq "=" PlusEq "+=" MinusEq "-=" StarEq "*=" SlashEq "/=" PercentEq "%="
        AmpEq "&=" PipeEq "|=" CaretEq "^=" ShlEq "<<=" ShrEq ">>="
    }
    keywords {
        Auto "auto"; Break "break"; Case "case"; CharType "char"; Continue "continue";
        Default "default"; Do "do"; Double "double"; Else "else"; Enum "enum"; Extern "extern";
        FloatType "float"; For "for"; Goto "goto"; If "if"; Int "int"; Long "long";
        Register "register"; Return "return"; Short "short"; Sizeof "sizeof"; Static "static";
        Struct "struct"; Switch "switch"; Typedef "typedef"; Union "union"; Unsigned "unsigned";
        Void "void"; While "while";
        Const "const" "__const" "__const__";
        Volatile "volatile" "__volatile" "__volatile__";
        Restrict "restrict" "__restrict" "__restrict__";
        Inline "inline" "__inline" "__inline__";
        Signed "signed" "__signed" "__signed__";
        Noreturn "_Noreturn";
        ThreadLocal "_Thread_local" "__thread";
        Alignas "_Alignas";
        Alignof "_Alignof" "__alignof" "__alignof__";
        Atomic "_Atomic";
        Bool "_Bool";
        Complex "_Complex" "__complex" "__complex__";
        Generic "_Generic";
        StaticAssert "_Static_assert";
        Asm "asm" "__asm" "__asm__";
        Typeof "typeof" "__typeof" "__typeof__";
        Attribute "__attribute__" "__attribute";
        Extension "__extension__";
        Label "__label__";
        Real "__real__" "__real";
        Imag "__imag__" "__imag";
        AutoType "__auto_type";
        Int128 "__int128";
        Float32 "_Float32";
        Float64 "_Float64" "_Float32x";
        Float64x "_Float64x" "__float80";
        Float128 "_Float128" "__float128";
        FloatOther "_Float16" "__fp16" "__bf16" "__ibm128" "_Decimal32" "_Decimal64" "_Decimal128";
        AddressSpace "__seg_fs" "__seg_gs";
        VaArg "__builtin_va_arg";
        Offsetof "__builtin_offsetof";
        TypesCompatible "__builtin_types_compatible_p";
        ChooseExpr "__builtin_choose_expr";
        Pragma "_Pragma" "__pragma";
    }
}

impl Kind {
    /// Whether it is a keyword that begins a statement.
    pub(crate) fn begins_statement(self) -> bool {
        use Kind::*;
        matches!(
            self,
            If | While | For | Do | Switch | Return | Goto | Break | Continue | Case | Default
        )
    }
}

/// The names of one translation unit; keywords come first.
pub(crate) struct Names {
    map: FxHashMap<Arc<str>, Symbol>,
    list: Vec<Arc<str>>,
}

impl Names {
    /// The keywords and nothing else.
    pub(crate) fn new() -> Names {
        let mut names = Names { map: FxHashMap::default(), list: Vec::new() };
        for (spelling, _) in KEYWORDS {
            names.intern(spelling);
        }
        names
    }

    /// The symbol of a spelling.
    pub(crate) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.map.get(text) {
            return symbol;
        }
        let shared: Arc<str> = text.into();
        let symbol = self.list.len() as Symbol;
        self.list.push(shared.clone());
        self.map.insert(shared, symbol);
        symbol
    }

    /// The symbol of a spelling that is there.
    pub(crate) fn find(&self, text: &str) -> Option<Symbol> {
        self.map.get(text).copied()
    }

    /// The kind of a word: a keyword's own, or [`Kind::Name`].
    pub(crate) fn kind(symbol: Symbol) -> Kind {
        KEYWORDS.get(symbol as usize).map_or(Kind::Name, |(_, kind)| *kind)
    }

    /// The spelling, shared.
    pub(crate) fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.list[symbol as usize]
    }

    /// How many symbols there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }
}
