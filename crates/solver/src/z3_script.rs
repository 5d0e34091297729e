//! Z3 as a process that reads SMT-LIB commands and answers them.
//!
//! What runs in a child: parts of Z3 that may hang, or end the process that
//! they run in, cost a child and no more. [`serve_z3`] is what the child does;
//! any other solver that speaks SMT-LIB over a pipe can stand in its place.

use crate::pipe_process::Balance;
use std::ffi::CString;
use std::io::{self, BufRead, Write};
use z3::Context;

/// Stack of the thread that works: Z3 recurses on the depth of formulas.
const STACK: usize = 1 << 30;

/// Answers commands until the input ends or `(exit)` is read.
pub fn serve_z3(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let thread = std::thread::Builder::new().stack_size(STACK).name("z3-script".into());
    let worker = thread.spawn(move || serve(input, output))?;
    worker.join().unwrap_or_else(|_| Err(io::Error::other("the solver panicked")))
}

fn serve(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let (mut command, mut balance) = (String::new(), Balance::default());
    loop {
        let from = command.len();
        if input.read_line(&mut command)? == 0 || command[from..].trim() == "(exit)" {
            return Ok(());
        }
        balance.read(&command[from..]);
        if balance.is_closed() {
            output.write_all(evaluate(&command).as_bytes())?;
            output.flush()?;
            command.clear();
        }
    }
}

/// What Z3 prints when it carries out commands.
#[expect(unsafe_code, reason = "the safe wrapper does not evaluate commands")]
fn evaluate(commands: &str) -> String {
    let Ok(text) = CString::new(commands) else { return String::new() };
    let context = Context::thread_local();
    // SAFETY: the context is that of this thread, the text ends with a zero byte, and what comes
    // back belongs to the context until its next call; it is copied before.
    unsafe {
        let answer = z3_sys::Z3_eval_smtlib2_string(context.get_z3_context(), text.as_ptr());
        match answer.is_null() {
            true => String::new(),
            false => std::ffi::CStr::from_ptr(answer).to_string_lossy().into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex, PoisonError};

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn commands_are_answered_one_by_one() {
        let input = "(declare-const x Int)\n(assert (= x\n 7))\n(check-sat)\n(get-value (x))\n\
                     (no-such-command)\n(exit)\n(echo \"late\")\n";
        let output = Shared::default();
        serve_z3(input.as_bytes(), output.clone()).expect("pipes in memory do not break");
        let bytes = output.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = String::from_utf8(bytes).expect("text");
        assert!(text.starts_with("sat\n((x 7))\n"), "{text}");
        assert!(text.contains("no-such-command"), "{text}");
        assert!(!text.contains("late"), "{text}");
    }
}
