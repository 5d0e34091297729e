//! Layer 6: answers in an editor, over the Language Server Protocol.
//!
//! A document is checked when it is opened and when it is saved: by our own executable, as
//! a user would start it, in a process of its own. So a check that hangs or dies costs an
//! answer and not the editor, an edit cancels it at once, and limits are kept. What it prints is the object of `--json`; `view.rs` says what an editor
//! shows of it. Answers are kept by content: saving a text again that was answered brings its answer back
//! at once.
//!
//! **Architecture Invariant:** nothing is decided here. The server knows the schema of
//! results, not one engine.

mod documents;
mod run;
mod view;

use crate::documents::Documents;
use crate::run::{Finished, Run};
use crossbeam_channel::RecvTimeoutError;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// How often the server looks whether something is due.
const TICK: Duration = Duration::from_millis(20);

/// Answers that are kept.
const KEPT: usize = 200;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Our own executable.
    pub program: PathBuf,
    /// Arguments of every check, such as `--time 30s`.
    pub arguments: Vec<String>,
}

/// Why a server ended.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Serves an editor over standard input and output, until it says good-bye.
///
/// # Errors
/// If the editor breaks the protocol.
pub fn serve(settings: Settings) -> Result<(), Fault> {
    let (connection, threads) = Connection::stdio();
    let capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": true } },
        "hoverProvider": true,
        "codeLensProvider": { "resolveProvider": false },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source"] },
        "executeCommandProvider": { "commands": view::COMMANDS },
    });
    let (id, parameters) = connection.initialize_start()?;
    let about = json!({ "capabilities": capabilities, "serverInfo": {
        "name": "parallax", "version": env!("CARGO_PKG_VERSION") } });
    connection.initialize_finish(id, about)?;
    let mut settings = settings;
    if let Some(given) = parameters["initializationOptions"]["arguments"].as_array() {
        settings.arguments.extend(given.iter().filter_map(|a| a.as_str().map(str::to_owned)));
    }
    let (told, finished) = channel();
    let server = Server {
        connection: &connection,
        settings,
        documents: Documents::default(),
        running: BTreeMap::new(),
        known: BTreeMap::new(),
        told,
        number: 0,
    };
    server.serve(&finished)?;
    drop(connection);
    threads.join()?;
    Ok(())
}

struct Server<'c> {
    connection: &'c Connection,
    settings: Settings,
    documents: Documents,
    /// The check of each document that goes on.
    running: BTreeMap<String, Run>,
    /// Answers by what they are about.
    known: BTreeMap<(String, String), Json>,
    told: Sender<Finished>,
    number: i32,
}

impl Server<'_> {
    fn serve(mut self, finished: &Receiver<Finished>) -> Result<(), Fault> {
        loop {
            match self.connection.receiver.recv_timeout(TICK) {
                Ok(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    self.request(request)?;
                }
                Ok(Message::Notification(notification)) => self.notice(notification)?,
                Ok(Message::Response(_)) => {}
                Err(RecvTimeoutError::Timeout) => {}
                // The editor is gone.
                Err(_) => return Ok(()),
            }
            while let Ok(done) = finished.try_recv() {
                self.finished(done)?;
            }
        }
    }

    fn notice(&mut self, notification: Notification) -> Result<(), Fault> {
        let parameters = notification.params;
        let of = &parameters["textDocument"];
        let uri = of["uri"].as_str().unwrap_or_default().to_owned();
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let text = of["text"].as_str().unwrap_or_default();
                if self.documents.open(&uri, text) {
                    self.check(&uri)?;
                }
            }
            "textDocument/didChange" => {
                let changes = parameters["contentChanges"].as_array();
                let text = changes.and_then(|all| all.last()).and_then(|c| c["text"].as_str());
                if let Some(text) = text
                    && self.documents.change(&uri, text)
                {
                    // What goes on is about another text.
                    if self.running.remove(&uri).is_some() {
                        self.status(&uri, "cancelled")?;
                    }
                }
            }
            "textDocument/didSave" => {
                // Others may include the file.
                self.known.retain(|(of, _), _| *of == uri);
                if let Some(text) = parameters["text"].as_str() {
                    self.documents.change(&uri, text);
                }
                self.check(&uri)?;
            }
            "textDocument/didClose" => {
                self.running.remove(&uri);
                self.documents.close(&uri);
                self.publish(&uri, &[])?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Begins to check a document, or shows what is known of this text.
    fn check(&mut self, uri: &str) -> Result<(), Fault> {
        self.running.remove(uri);
        let Some(document) = self.documents.get(uri) else { return Ok(()) };
        let key = (uri.to_owned(), document.key());
        if let Some(object) = self.known.get(&key) {
            let object = object.clone();
            return self.show(uri, object);
        }
        let run = Run::begin(&self.settings, document, &self.told);
        match run {
            Ok(run) => {
                self.running.insert(uri.to_owned(), run);
                self.status(uri, "checking")
            }
            Err(error) => self.message(1, &format!("parallax cannot be started: {error}")),
        }
    }

    fn finished(&mut self, done: Finished) -> Result<(), Fault> {
        let is_awaited = self.running.get(&done.uri).is_some_and(|run| run.number == done.number);
        if !is_awaited {
            return Ok(());
        }
        self.running.remove(&done.uri);
        let Some(object) = done.object else {
            return self
                .message(1, &format!("parallax ended without an answer: {}", done.messages));
        };
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        // What was not decided may be another time.
        if object["verdict"] != "unknown" {
            self.known.insert((done.uri.clone(), done.key), object.clone());
        }
        self.show(&done.uri, object)
    }

    /// Shows an answer.
    fn show(&mut self, uri: &str, object: Json) -> Result<(), Fault> {
        let Some(document) = self.documents.get_mut(uri) else { return Ok(()) };
        document.answer = Some(object);
        let diagnostics = view::diagnostics(document);
        let word = document.answer.as_ref().and_then(|a| a["verdict"].as_str()).unwrap_or("");
        let word = word.to_owned();
        self.publish(uri, &diagnostics)?;
        self.number += 1;
        let id = RequestId::from(self.number);
        self.send(Request::new(id, "workspace/codeLens/refresh".to_owned(), json!(null)))?;
        self.status(uri, &word)
    }

    fn request(&mut self, request: Request) -> Result<(), Fault> {
        let parameters = &request.params;
        let uri = parameters["textDocument"]["uri"].as_str().unwrap_or_default();
        let document = self.documents.get(uri);
        let line = parameters["position"]["line"].as_u64().unwrap_or_default();
        let answer = match (request.method.as_str(), document) {
            ("textDocument/hover", Some(document)) => view::hover(document, line),
            ("textDocument/codeLens", Some(document)) => view::lenses(document),
            ("textDocument/codeAction", Some(document)) => {
                view::actions(document, &parameters["range"])
            }
            ("workspace/executeCommand", _) => {
                let command = parameters["command"].as_str().unwrap_or_default().to_owned();
                let arguments = parameters["arguments"].clone();
                return self.execute(request.id, &command, &arguments);
            }
            (_, Some(_)) => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                let text = format!("{} is not offered", request.method);
                return self.send(Response::new_err(request.id, code, text));
            }
            (_, None) => Json::Null,
        };
        self.send(Response::new_ok(request.id, answer))
    }

    /// Does what a code action says.
    fn execute(&mut self, id: RequestId, command: &str, arguments: &Json) -> Result<(), Fault> {
        let uri = arguments[0].as_str().unwrap_or_default().to_owned();
        let Some(document) = self.documents.get(&uri) else {
            return self.send(Response::new_ok(id, Json::Null));
        };
        let written = match command {
            "parallax.check" => {
                self.known.retain(|(of, _), _| *of != uri);
                self.check(&uri)?;
                return self.send(Response::new_ok(id, Json::Null));
            }
            "parallax.harness" => run::write(&self.settings, document, run::Product::Harness),
            "parallax.report" => run::write(&self.settings, document, run::Product::Report),
            other => Err(std::io::Error::other(format!("no command `{other}`"))),
        };
        match written {
            Ok(path) => {
                self.message(3, &format!("written: {}", path.display()))?;
                self.send(Response::new_ok(id, json!(documents::uri_of(&path))))
            }
            Err(error) => {
                let code = lsp_server::ErrorCode::RequestFailed as i32;
                self.send(Response::new_err(id, code, error.to_string()))
            }
        }
    }

    fn publish(&self, uri: &str, diagnostics: &[Json]) -> Result<(), Fault> {
        let parameters = json!({ "uri": uri, "diagnostics": diagnostics });
        self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), parameters))
    }

    /// How far a document is, for whoever shows that.
    fn status(&self, uri: &str, word: &str) -> Result<(), Fault> {
        let parameters = json!({ "uri": uri, "status": word });
        self.send(Notification::new("parallax/status".to_owned(), parameters))
    }

    fn message(&self, kind: u8, text: &str) -> Result<(), Fault> {
        let parameters = json!({ "type": kind, "message": text });
        self.send(Notification::new("window/showMessage".to_owned(), parameters))
    }

    fn send(&self, message: impl Into<Message>) -> Result<(), Fault> {
        Ok(self.connection.sender.send(message.into())?)
    }
}
