//! A browser that takes pictures of pages, through its driver (WebDriver, with the extensions of
//! chromedriver for the size of the screen).
//!
//! The command line of Chromium takes pictures too, but its windows are never narrower than 500 pixels,
//! and a phone is.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with a new profile; it ends with its owner.
pub struct Driver {
    child: Child,
    port: u16,
    session: String,
    /// The folder of the profile, which is removed at the end.
    _profile: TempDir,
}

impl Driver {
    /// Starts a driver on a free port, and a browser.
    pub fn start() -> Result<Self, Box<dyn Error>> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("chromedriver: {error}; `cargo xtask browser` installs it"))?;
        let profile = tempfile::tempdir()?;
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--force-color-profile=srgb",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let options = json!({ "goog:chromeOptions": { "args": arguments } });
        let mut driver = Self { child, port, session: String::new(), _profile: profile };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if began.elapsed() > PATIENCE {
                return Err("chromedriver does not answer".into());
            }
            sleep(Duration::from_millis(50));
        }
        let capabilities = json!({ "capabilities": { "alwaysMatch": options } });
        let reply = driver.ask("POST", "/session", Some(&capabilities))?;
        let session = reply["sessionId"].as_str().ok_or("chromedriver started no browser")?;
        driver.session = format!("/session/{session}");
        let light = json!({ "features": [{ "name": "prefers-color-scheme", "value": "light" }] });
        driver.devtools("Emulation.setEmulatedMedia", light)?;
        Ok(driver)
    }

    /// A page as it looks in a window of this size, as PNG.
    pub fn picture(
        &self,
        address: &str,
        (width, height): (u32, u32),
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let screen = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", screen)?;
        self.ask("POST", &format!("{}/url", self.session), Some(&json!({ "url": address })))?;
        // A page that is loaded is not painted yet: large charts take more than one frame.
        let painted = "const done = arguments[0];
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 500);";
        let script = json!({ "script": painted, "args": [] });
        self.ask("POST", &format!("{}/execute/async", self.session), Some(&script))?;
        let reply = self.ask("GET", &format!("{}/screenshot", self.session), None)?;
        let text = reply.as_str().ok_or("the browser took no picture")?;
        from_base64(text).ok_or_else(|| "the browser took no picture".into())
    }

    fn devtools(&self, command: &str, parameters: Value) -> Result<(), Box<dyn Error>> {
        let body = json!({ "cmd": command, "params": parameters });
        let path = format!("{}/goog/cdp/execute", self.session);
        self.ask("POST", &path, Some(&body)).map(|_| ())
    }

    /// Asks the driver; gives the value of its reply.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Box<dyn Error>> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        // The driver keeps the connection open, so its reply ends where it says.
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            let begin = head.len();
            if reader.read_line(&mut head)? == 0 {
                return Err(format!("chromedriver ended its reply early: {head}").into());
            }
            if let Some((name, value)) = head[begin..].split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut reply = vec![0; length];
        reader.read_exact(&mut reply)?;
        let mut reply: Value = serde_json::from_slice(&reply)?;
        match head.starts_with("HTTP/1.1 200") {
            true => Ok(reply["value"].take()),
            false => {
                Err(format!("chromedriver: {method} {path}: {}", reply["value"]["message"]).into())
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser does not end with its driver, so it is asked to end first; there is nobody to
        // tell if it does not.
        if !self.session.is_empty() {
            let _ = self.ask("DELETE", &self.session, None);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes that are written as Base64 (RFC 4648, section 4); `None` if they are not.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::with_capacity(text.len() / 4 * 3));
    for letter in text.trim_end_matches('=').bytes() {
        let value = LETTERS.iter().position(|&other| other == letter)?;
        bits = (bits << 6 | u32::try_from(value).ok()?) & 0xffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::from_base64;

    #[test]
    fn base64_is_read_as_the_standard_has_it() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(from_base64("Zm9v!"), None);
    }
}
