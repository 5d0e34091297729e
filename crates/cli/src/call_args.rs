//! A function of C that is called with arbitrary arguments: shared by all commands
//! that read C.

use parallax::Request;

/// Which function, and how large what it is given may be.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct CallArgs {
    /// Call this function with arbitrary arguments, in the place of `main`
    #[arg(long, value_name = "NAME", group = "called", help_heading = "Calling a function of C")]
    pub(crate) function: Option<String>,
    #[command(flatten)]
    pub(crate) bounds: CallBounds,
}

/// How large what a function is given may be. Belongs to a group `called` of arguments
/// that say which.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct CallBounds {
    /// Suppose this of its parameters, of variables, and of sizes: `len <= buf_elements`; may be repeated
    #[arg(
        long,
        value_name = "COND",
        requires = "called",
        allow_hyphen_values = true,
        help_heading = "Calling a function of C"
    )]
    pub(crate) assume: Vec<String>,
    /// How many elements arrays and strings have at most, the final zero included [default: 4]
    #[arg(
        long,
        value_name = "N",
        requires = "called",
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Calling a function of C"
    )]
    pub(crate) elements: Option<u64>,
    /// How many records of a kind are linked in a row at most [default: 3]
    #[arg(
        long,
        value_name = "N",
        requires = "called",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Calling a function of C"
    )]
    pub(crate) unwind_data: Option<u32>,
    /// Let its pointers be null
    #[arg(long, requires = "called", help_heading = "Calling a function of C")]
    pub(crate) null_arguments: bool,
    /// Let variables at file level have any value when it is called
    #[arg(long, requires = "called", help_heading = "Calling a function of C")]
    pub(crate) free_globals: bool,
}

impl CallArgs {
    /// The call, if there is one.
    pub(crate) fn request(&self) -> Option<Request> {
        self.function.as_ref().map(|function| self.bounds.call(function))
    }
}

impl CallBounds {
    /// A call within the bounds.
    pub(crate) fn call(&self, function: &str) -> Request {
        let usual = Request::call(function);
        Request {
            assume: self.assume.clone(),
            elements: self.elements.unwrap_or(usual.elements),
            links: self.unwind_data.unwrap_or(usual.links),
            null: self.null_arguments,
            free_globals: self.free_globals,
            ..usual
        }
    }
}
