//! A headless Chromium, driven over the pipes of its remote protocol.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a page may take for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    page: Option<String>,
    number: u64,
    /// Errors and messages of pages, and what the security policy refused.
    pub(crate) complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser whose files lie in a folder.
    pub(crate) fn new(folder: &Path) -> Browser {
        let profile = folder.join("profile");
        // The protocol speaks on the descriptors 3 and 4.
        let script = "exec \"$0\" --headless=new --no-sandbox --disable-gpu --no-first-run \
                      --disable-dev-shm-usage --window-size=1400,860 --remote-debugging-pipe \
                      --user-data-dir=\"$1\" about:blank 3<&0 4>&1 >/dev/null 2>&1";
        let mut child = Command::new("sh")
            .args(["-c", script, "chromium"])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser =
            Browser { child, to, from, page: None, number: 0, complaints: Vec::new() };
        let targets = browser.call("Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().expect("a list").clone();
        let page = targets.iter().find(|target| target["type"] == "page").expect("a page");
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        browser.page = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Asks something of the browser.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": parameters });
        if let Some(page) = &self.page {
            message["sessionId"] = json!(page);
        }
        self.to.write_all(message.to_string().as_bytes()).expect("the browser listens");
        self.to.write_all(&[0]).expect("the browser listens");
        self.to.flush().expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).expect("the browser speaks");
            assert_eq!(bytes.pop(), Some(0), "the browser ended; is `chromium` installed?");
            let message: Value = serde_json::from_slice(&bytes).expect("JSON");
            if message["id"] == json!(self.number) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            let word = message["method"].as_str().unwrap_or_default();
            if matches!(
                word,
                "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded"
            ) || word.starts_with("Page.javascriptDialog")
            {
                self.complaints.push(message["params"].to_string());
            }
        }
    }

    /// Opens a file.
    pub(crate) fn open(&mut self, path: &Path) {
        let url = format!("file://{}", path.display());
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("document.readyState === 'complete' && !!document.querySelector('.tabs')");
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let found = self.call("Runtime.evaluate", asked);
        assert!(found["exceptionDetails"].is_null(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    /// The text of the first element that a selector means.
    pub(crate) fn text(&mut self, selector: &str) -> String {
        let selector = json!(selector);
        let text = self.value(&format!("document.querySelector({selector})?.textContent ?? ''"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "{expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses and releases a key.
    pub(crate) fn press(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let down = json!({ "type": "keyDown", "key": key, "text": text });
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Clicks on the first element that a selector means, with the mouse.
    pub(crate) fn click(&mut self, selector: &str) {
        let quoted = json!(selector);
        let place = self.value(&format!(
            "(() => {{ const e = document.querySelector({quoted}); if (!e) return null; \
             e.scrollIntoView({{ block: 'center' }}); const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        assert!(place.is_array(), "there is no {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended; its own children end with it.
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(5) {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
