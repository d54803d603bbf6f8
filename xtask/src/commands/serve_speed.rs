//! `cargo xtask serve-speed`: response times, response sizes and memory of `luthier serve`. Every page
//! and every endpoint of the OpenAPI document is requested three times, the first time with cold caches.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Ending;
use super::agree::build_luthier;
use super::server::Server;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// The database, such as `cargo xtask sample-db` makes
    database: PathBuf,
    /// The longest time to the first byte, in milliseconds
    #[arg(long, default_value_t = 200)]
    first_byte: u64,
    /// The longest answer, in bytes
    #[arg(long, default_value_t = 2_000_000)]
    length: usize,
    /// How often each is asked
    #[arg(long, default_value_t = 3)]
    times: usize,
}

/// Questions that are not the shortest ones of an endpoint.
const MORE: [&str; 12] = [
    "/compare?text=a",
    "/compare?kind=unique&sort=-spread",
    "/changes?kind=same",
    "/api/v1/instances?limit=1000",
    "/api/v1/instances?kind=unique&sort=-spread",
    "/api/v1/instances?kind=wrong",
    "/api/v1/instances?text=a&sort=-size&limit=1000",
    "/api/v1/instances?sort=-ratio:{solver}:{other}",
    "/api/v1/changes?before={solver}&after={other}&kind=same&limit=1000",
    "/chart/cactus?format=png",
    "/chart/scattered?format=png",
    "/results?offset=300000",
];

/// The pages.
const PAGES: [&str; 10] = [
    "/",
    "/set/{set}",
    "/track/{track}",
    "/instance/{instance}",
    "/run/{run}",
    "/compare",
    "/changes",
    "/operators",
    "/findings",
    "/audit",
];

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = build_luthier()?;
    let server = Server::start(&luthier, &arguments.database)?;
    output::talk(format!("the server needed {:.1} s to start", server.start.as_secs_f64()));
    let names = Names::of(&server)?;
    // It is made in the background when somebody first asks for it.
    let asked = Instant::now();
    while server.get("/api/v1/audit")?.status == 503 {}
    output::talk(format!("the audit was there after {:.1} s", asked.elapsed().as_secs_f64()));
    let document = server.json("/api/v1/openapi.json")?;
    let mut addresses: Vec<String> = PAGES.iter().map(|page| names.fill(page)).collect();
    let paths = document["paths"].as_object().into_iter().flatten();
    addresses.extend(paths.map(|(path, item)| names.address(path, &item["get"])));
    addresses.extend(MORE.iter().map(|address| names.fill(address)));
    let mut has_findings = false;
    output::data("first byte, ms (each time); CPU time of the first, ms; bytes; address");
    for address in &addresses {
        let mut times = Vec::new();
        let mut longest = 0;
        let mut status = 200;
        let mut cpu = None;
        for _ in 0..arguments.times.max(1) {
            let before = server.cpu_time();
            let answer = server.get(address)?;
            let took =
                server.cpu_time().zip(before).map(|(after, before)| after.saturating_sub(before));
            cpu = cpu.or(took);
            times.push(answer.first_byte);
            longest = longest.max(answer.body.len());
            status = if status == 200 { answer.status } else { status };
        }
        let is_slow = times.iter().any(|time| *time > Duration::from_millis(arguments.first_byte));
        let mut remarks = Vec::new();
        if is_slow {
            remarks.push("TOO SLOW".to_owned());
        }
        if longest > arguments.length {
            remarks.push("TOO LONG".to_owned());
        }
        if status != 200 {
            remarks.push(format!("STATUS {status}"));
        }
        has_findings |= !remarks.is_empty();
        let times: Vec<String> =
            times.iter().map(|time| format!("{:7.1}", time.as_secs_f64() * 1e3)).collect();
        let cpu = cpu.map_or_else(String::new, |cpu| format!("{:7.1}", cpu.as_secs_f64() * 1e3));
        let (times, remarks) = (times.join(" "), remarks.join(", "));
        output::data(format!("{times} {cpu} {longest:9} {address} {remarks}").trim_end());
    }
    if let Some(peak) = server.peak_memory() {
        output::data(format!("{} addresses; peak memory {} MiB", addresses.len(), peak >> 20));
    }
    Ok(if has_findings { Ending::Findings } else { Ending::Fine })
}

/// Things that are in the database, to ask for.
struct Names {
    solver: String,
    other: String,
    set: String,
    track: String,
    instance: String,
    run: String,
}

impl Names {
    /// The largest set and track, an instance with a run, two solvers.
    fn of(server: &Server) -> Result<Self, Box<dyn Error>> {
        let items = |path: &str| -> Result<Vec<Value>, Box<dyn Error>> {
            let list = server.json(path)?;
            Ok(list["items"].as_array().cloned().unwrap_or_default())
        };
        let largest = |items: Vec<Value>| {
            let largest = items.iter().max_by_key(|item| item["instances"].as_u64());
            largest.map_or_else(String::new, |item| item["number"].to_string())
        };
        let solvers = items("/api/v1/solvers")?;
        let instances = items("/api/v1/instances?limit=1")?;
        let (Some(solver), Some(instance)) = (solvers.first(), instances.first()) else {
            return Err("the database has no solvers or no instances".into());
        };
        Ok(Self {
            solver: solver["number"].to_string(),
            other: solvers.get(1).unwrap_or(solver)["number"].to_string(),
            set: largest(items("/api/v1/sets?limit=1000")?),
            track: largest(items("/api/v1/tracks?limit=1000")?),
            instance: instance["number"].to_string(),
            run: instance["runs"][0]["run"].to_string(),
        })
    }

    fn fill(&self, address: &str) -> String {
        let values = [
            ("{solver}", &self.solver),
            ("{other}", &self.other),
            ("{set}", &self.set),
            ("{track}", &self.track),
            ("{instance}", &self.instance),
            ("{run}", &self.run),
            ("{bgroup}", &self.set),
        ];
        values.iter().fold(address.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    /// The shortest question of an endpoint.
    fn address(&self, path: &str, operation: &Value) -> String {
        let number = if path.contains("/runs/") { &self.run } else { &self.instance };
        // Sets of ZaligVinder are named by tracks there.
        let path = path.replace("distribution/{set}", "distribution/{track}");
        let mut address = self.fill(&path.replace("{number}", number));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            if parameter["in"] == "query" && parameter["required"] == true {
                let value = match parameter["name"].as_str() {
                    Some("after" | "y") => &self.other,
                    _ => &self.solver,
                };
                address.push(if address.contains('?') { '&' } else { '?' });
                let name = parameter["name"].as_str().unwrap_or_default();
                address.push_str(&format!("{name}={value}"));
            }
        }
        address
    }
}
