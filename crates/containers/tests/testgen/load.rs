//! Loading a container with its API.

use parallax_base::{Budget, Diagnostics, SourceFile, SourceMap};
use parallax_cfa::Program;
use parallax_containers::{Api, Config, Found, Subject, parse_api, resolve, search};
use parallax_front_c as front;
use std::path::{Path, PathBuf};

/// A container of the examples.
pub(crate) struct Container {
    pub(crate) program: Program,
    pub(crate) api: Api,
}

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/containers")
}

/// Loads `NAME.c` and `NAME.toml` of the examples.
pub(crate) fn container(name: &str, defines: &[&str]) -> Container {
    let path = examples().join(format!("{name}.c"));
    let api = match std::fs::read_to_string(examples().join(format!("{name}.toml"))) {
        Ok(api) => (api, false),
        // The API is in a comment.
        Err(_) => (std::fs::read_to_string(&path).expect("a container"), true),
    };
    load(front::Input::file(path), &api.0, api.1, defines)
}

fn messages(found: Diagnostics) -> Vec<String> {
    found.iter().map(|diagnostic| diagnostic.message.clone()).collect()
}

/// Loads a text.
pub(crate) fn text(program: &str, api: &str) -> Container {
    load(front::Input::text("program.c", program), api, false, &[])
}

fn load(input: front::Input, api: &str, is_c: bool, defines: &[&str]) -> Container {
    let mut sources = SourceMap::default();
    // As the tool does it: tests are sequences, and have one order.
    let mut options = front::Options { explore_orders: false, ..front::Options::default() };
    options.defines.push("PARALLAX_TESTGEN".into());
    options.defines.extend(defines.iter().map(|d| (*d).to_owned()));
    let loaded = front::load(&mut sources, &[input], &options);
    let loaded = loaded.map_err(messages).expect("a program");
    let file = sources.add(SourceFile::new("api.toml", api));
    let parsed = parse_api(file, api, is_c).expect("an API");
    let api = resolve(&parsed, &loaded.program).map_err(messages).expect("an API that fits");
    Container { program: loaded.program, api }
}

impl Container {
    pub(crate) fn search(&self, config: &Config) -> Found {
        let subject = self.subject(config);
        search(&subject, config, &Budget::unlimited()).expect("a search to its end")
    }

    pub(crate) fn subject(&self, config: &Config) -> Subject<'_> {
        Subject::new(&self.program, self.api.clone(), config.goal, config.matching)
            .expect("a subject")
    }
}
