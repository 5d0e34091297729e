//! One reader; see the library.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| parallax_fuzz::aut(text));
