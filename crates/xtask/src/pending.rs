//! A gateway with very many open questions: how long it takes to start, to show the first of them, and how much memory that
//! takes.

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::Args;
use signoff_e2e::{
    Kept,
    gateway::{Line, Reply, Site},
};
use signoff_gate::{Decided, Gate, LocalEyes, Mint as _, NewApproval, Store, SystemMint, Wish, judging::Surroundings};
use signoff_model::{AgentId, Dialect, Operation, PersonId, RequestKey, Requester, SessionId, ShellCommand, Timestamp};
use signoff_permit::IssuerKey;
use signoff_testbed::{Durability, Server};

use crate::{
    bars::{Bar, Bars},
    gateway,
};

const START_WITHIN: f64 = 2_000.0;
const PAGE_WITHIN: f64 = 20.0;
const RESIDENT: f64 = 100.0;
const RESIDENT_IDLE: f64 = 30.0;

/// So many questions are brought to the store at a time.
const AT_ONCE: usize = 256;

/// So many first pages are read; the first of them counts by itself.
const PAGES: usize = 50;

#[derive(Args)]
pub(crate) struct Options {
    /// How many questions are open
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    count: usize,
    /// The program to measure instead of the release build; one that takes `SIGNOFF_E2E_ROOT`
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Exit 1 when a bar is missed
    #[arg(long)]
    gate: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let program = gateway::program(options.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut bars = Bars::default();
    let server = Server::start(Durability::Flushed)?;
    let database = server.database()?;
    for (name, kept) in [("SQLite", Kept::InAFile), ("PostgreSQL", Kept::InADatabase(database.url()))] {
        let is_file = matches!(kept, Kept::InAFile);
        let site = Site::new(kept);
        runtime.block_on(site.join(1, 0));
        if is_file {
            let idle = site.serve(&program, &[]);
            std::thread::sleep(Duration::from_secs(3));
            bars.show(
                &format!("{name}, nothing pending: resident"),
                mebibytes(idle.resident().0),
                "MiB",
                Bar::AtMost(RESIDENT_IDLE),
            );
            idle.stop();
        }
        let begun = Instant::now();
        runtime.block_on(fill(&site, options.count))?;
        println!("{name}: {} questions in {:.1} s", options.count, begun.elapsed().as_secs_f64());
        if is_file {
            forget(&site.places().store())?;
            forget(&program)?;
        } else {
            server.crash()?;
            server.restart()?;
        }
        let running = site.serve(&program, &[]);
        let started = running.started_in();
        bars.show(&format!("{name}: cold start"), millis(started), "ms", Bar::AtMost(START_WITHIN));
        let pages = runtime.block_on(async {
            let mut person = Line::person(running.address(), "person-0").await;
            let mut times = Vec::new();
            for _ in 0..PAGES {
                let begun = Instant::now();
                let page = person.get("/v1/approvals?stage=pending").await;
                times.push(begun.elapsed());
                anyhow::ensure!(listed(&page) == Some(50), "{}", page.body);
            }
            anyhow::Ok(times)
        })?;
        bars.show(
            &format!("{name}: the very first page"),
            millis(pages.first().copied().unwrap_or_default()),
            "ms",
            Bar::AtMost(PAGE_WITHIN),
        );
        let median = gateway::percentile(&pages, 50);
        bars.show(&format!("{name}: the first page, median of {PAGES}"), median, "ms", Bar::AtMost(PAGE_WITHIN));
        let walked = Instant::now();
        let seen = runtime.block_on(walk(&running))?;
        anyhow::ensure!(seen == options.count, "{seen} of {} are listed", options.count);
        println!("{name}: all {seen} listed, 200 at a time, in {:.1} s", walked.elapsed().as_secs_f64());
        // The clock has been looked at and the ledger signed by then.
        std::thread::sleep(Duration::from_secs(3));
        let (resident, most) = running.resident();
        bars.show(&format!("{name}: resident behind all of it"), mebibytes(resident), "MiB", Bar::AtMost(RESIDENT));
        bars.show(&format!("{name}: resident at most"), mebibytes(most), "MiB", Bar::AtMost(RESIDENT));
        running.stop();
    }
    Ok(bars.verdict(options.gate))
}

/// Lets a gate look at one operation, and asks the same about so many others: each with a key, an id and a line in the ledger
/// of its own, kept by the store as any other question is.
async fn fill(site: &Site, count: usize) -> anyhow::Result<()> {
    let store = site.store().await;
    let eyes = Arc::new(LocalEyes::new(site.places()));
    let gate = Gate::new(Arc::clone(&store), IssuerKey::from_seed([1; 32]), Box::new(SystemMint), eyes);
    let requester = Requester {
        agent: AgentId::new("agent")?,
        session: SessionId::new("session")?,
        owner: PersonId::new("person-0")?,
    };
    let operation = Operation::Shell(ShellCommand { command: "rm notes.txt".to_owned(), dialect: Dialect::Bash });
    let wish = Wish {
        key: RequestKey::new("0")?,
        requester,
        operation,
        directory: site.work().to_string_lossy().into_owned(),
        intent: None,
        surroundings: Surroundings::default().digest(),
        screen: signoff_model::Screen::None,
        then: Vec::new(),
    };
    let Decided::Asked { approval, .. } = gate.decide(wish).await? else { anyhow::bail!("nobody is asked") };
    let first = store.approval(approval).await?.context("it was asked")?;
    let mut terms = first.terms.clone();
    // Nobody answers, and they stay open.
    terms.decide_within = Duration::from_secs(7 * 24 * 3600);
    let withdrawn = signoff_gate::Event::Withdraw { by: first.requester.clone(), words: String::new() };
    store.happen(approval, withdrawn).await?;
    let numbers: Vec<usize> = (1..=count).collect();
    for together in numbers.chunks(AT_ONCE) {
        let mut asking = tokio::task::JoinSet::new();
        for number in together {
            let new = NewApproval {
                id: SystemMint.id()?,
                key: RequestKey::new(number.to_string())?,
                requester: first.requester.clone(),
                question: first.question.clone(),
                terms: terms.clone(),
            };
            let store: Arc<dyn Store> = Arc::clone(&store);
            asking.spawn(async move { store.ask(new).await.map(|_| Timestamp::default()) });
        }
        while let Some(asked) = asking.join_next().await {
            asked??;
        }
    }
    Ok(())
}

/// Reads all pages, and counts what is on them.
async fn walk(running: &signoff_e2e::gateway::Running) -> anyhow::Result<usize> {
    let mut person = Line::person(running.address(), "person-0").await;
    let (mut seen, mut behind) = (0, String::new());
    loop {
        let page = person.get(&format!("/v1/approvals?stage=pending&limit=200{behind}")).await;
        seen += listed(&page).with_context(|| page.body.to_string())?;
        match page.text("next") {
            "" => return Ok(seen),
            next => behind = format!("&before={next}"),
        }
    }
}

/// How many questions are on a page.
fn listed(page: &Reply) -> Option<usize> {
    page.body.get("approvals")?.as_array().map(Vec::len)
}

/// Makes the system read a file from the disk again.
fn forget(path: &Path) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    file.sync_all()?;
    nix::fcntl::posix_fadvise(&file, 0, 0, nix::fcntl::PosixFadviseAdvice::POSIX_FADV_DONTNEED)?;
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn mebibytes(kibibytes: u64) -> f64 {
    kibibytes as f64 / 1_024.0
}
