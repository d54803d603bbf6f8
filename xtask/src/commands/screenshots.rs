//! `cargo xtask screenshots`: pictures of the main pages, taken by a browser, for the documents.

mod driver;
mod small;

use std::error::Error;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::Ending;
use crate::output;
use driver::Driver;
use small::make_small;

/// Pictures that are larger make the repository heavy.
const MOST_BYTES: u64 = 200_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The database to show, such as one that `sample-db` made
    database: PathBuf,
    /// The folder for the pictures
    #[arg(default_value = "docs/images")]
    out: PathBuf,
    /// The program that serves; built if it is not given
    #[arg(long)]
    luthier: Option<PathBuf>,
}

/// What is on a picture.
struct Screenshot {
    name: &'static str,
    path: String,
    width: u32,
    height: u32,
}

/// The width of windows, and that of a phone.
const WIDTH: u32 = 1280;
const PHONE: u32 = 400;

/// A server that ends with its owner.
struct Server {
    child: Child,
    address: String,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let program = match &arguments.luthier {
        Some(program) => program.clone(),
        None => build()?,
    };
    std::fs::create_dir_all(&arguments.out)?;
    let server = Server::start(&program, &arguments.database)?;
    let driver = Driver::start()?;
    let mut ending = Ending::Fine;
    for screenshot in screenshots(&server)? {
        let file = arguments.out.join(format!("{}.png", screenshot.name));
        let address = format!("http://{}{}", server.address, screenshot.path);
        std::fs::write(&file, driver.picture(&address, (screenshot.width, screenshot.height))?)?;
        make_small(&file)?;
        let bytes = std::fs::metadata(&file)?.len();
        output::data(format!("{}: {} kB, {}", file.display(), bytes / 1000, screenshot.path));
        if bytes > MOST_BYTES {
            output::talk(format!("{}: more than {MOST_BYTES} bytes", file.display()));
            ending = Ending::Findings;
        }
    }
    Ok(ending)
}

fn screenshots(server: &Server) -> Result<Vec<Screenshot>, Box<dyn Error>> {
    // The first instance with a wrong answer shows most.
    let wrong = server.get("/compare?kind=wrong")?;
    let instance = first_link(&wrong, "/instance/").unwrap_or_else(|| "/instance/1".to_owned());
    let overview = server.get("/")?;
    let set = first_link(&overview, "/set/").ok_or("there is no set in this database")?;
    let solver = first_link(&overview, "/solver/").ok_or("there is no solver in this database")?;
    let screenshot =
        |name, path: &str, height| Screenshot { name, path: path.to_owned(), width: WIDTH, height };
    let phone =
        |name, path: &str| Screenshot { name, path: path.to_owned(), width: PHONE, height: 860 };
    Ok(vec![
        screenshot("overview", "/", 1250),
        screenshot("set", &set, 1100),
        screenshot("compare", "/compare?kind=some", 1100),
        screenshot("changes", "/changes", 1000),
        screenshot("operators", "/operators", 1100),
        screenshot("instance", &instance, 1000),
        screenshot("findings", "/findings", 900),
        screenshot("solver", &solver, 900),
        phone("phone", "/"),
    ])
}

/// The first link of a page to an address that begins like this.
fn first_link(page: &str, start: &str) -> Option<String> {
    let from = page.find(&format!("href=\"{start}"))? + "href=\"".len();
    let length = page[from..].find('"')?;
    Some(page[from..from + length].to_owned())
}

fn build() -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&root).args(["build", "--release", "--locked", "-p", "luthier"]);
    if !cargo.status()?.success() {
        return Err("the program cannot be built; see the lines above".into());
    }
    // Where this program was built, the other one was.
    let own = std::env::current_exe()?;
    let target = own.parent().and_then(Path::parent).ok_or("this program is nowhere")?;
    Ok(target.join("release").join("luthier"))
}

impl Server {
    fn start(program: &Path, database: &Path) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program)
            .arg("serve")
            .arg(database)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let stdout = child.stdout.take();
        let mut server = Self { child, address: String::new() };
        let mut line = String::new();
        if let Some(stdout) = stdout {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        // It says where it listens once it does.
        let address =
            line.trim().rsplit_once("http://").map(|(_, rest)| rest.trim_end_matches('/'));
        server.address = address.ok_or("the server did not say where it listens")?.to_owned();
        Ok(server)
    }

    fn get(&self, path: &str) -> Result<String, Box<dyn Error>> {
        let mut stream = TcpStream::connect(&self.address)?;
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply)?;
        let text = String::from_utf8_lossy(&reply).into_owned();
        match text.starts_with("HTTP/1.1 200") {
            true => Ok(text),
            false => Err(format!("{path}: {}", text.lines().next().unwrap_or("no answer")).into()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has nothing to save, and may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::first_link;

    #[test]
    fn links_are_found_by_their_beginning() {
        let page = "<a href=\"/set/3\">a</a> <a href=\"/instance/12\">b</a>";
        assert_eq!(first_link(page, "/instance/").as_deref(), Some("/instance/12"));
        assert_eq!(first_link(page, "/run/"), None);
    }
}
