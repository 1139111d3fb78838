//! toll-replay runs transactions of a cluster again, on LiteSVM, from files that have the accounts
//! that they read: their cost by function, and what differs from what the cluster charged.

mod files;
mod machine;
mod world;

use {
    std::{env, path::PathBuf, process::ExitCode},
    world::Worlds,
};

const HELP: &str = "\
usage: toll-replay [-o PROFILE] [--program ID=FILE.so] FILE...

Runs transactions again on LiteSVM, and writes what each function cost.

FILE is JSON, or a folder of such files:
  - a fixture of svmscope: transactions with their accounts and programs
  - an answer to RPC's getTransaction, with \"encoding\": \"base64\"
  - accounts: of solana account --output json, a validator's or surfpool's snapshot

  -o PROFILE            the profile, in the format of its name (default: cu.pb.gz)
  --program ID=FILE.so  another build of a program, such as the one that you will deploy
  --help, --version     print this, or the version

It says what the cluster charged if a file has it, and in which invocations the replay differs.
Accounts are as they are in the files: what a transaction costs may depend on them.

Exit status: 0; 3 if a transaction cost something else than on the cluster, or ended otherwise; 1 if
a file cannot be used; 2 for a wrong command line.
";

struct Options {
    out: PathBuf,
    programs: Vec<(String, PathBuf)>,
    files: Vec<PathBuf>,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options =
        Options { out: PathBuf::from("cu.pb.gz"), programs: Vec::new(), files: Vec::new() };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(None);
            }
            "--version" => {
                println!("toll-replay {}", env!("CARGO_PKG_VERSION"));
                return Ok(None);
            }
            "-o" => options.out = value()?.into(),
            "--program" => {
                let value = value()?;
                let (id, file) =
                    value.split_once('=').ok_or(format!("--program {value}: it is ID=FILE.so"))?;
                options.programs.push((id.to_string(), file.into()));
            }
            _ if word.starts_with('-') => return Err(format!("no option {word}; see --help")),
            _ => options.files.push(word.into()),
        }
    }
    if options.files.is_empty() {
        return Err("which files? see --help".to_string());
    }
    Ok(Some(options))
}

/// Returns whether all was as on the cluster.
fn run(options: &Options) -> Result<bool, String> {
    let mut worlds = Worlds::default();
    for file in &options.files {
        files::read(file, &mut worlds)?;
    }
    for (id, file) in &options.programs {
        worlds.replace_program(id, file)?;
    }
    if worlds.all().all(|world| world.transactions.is_empty()) {
        return Err("the files have no transaction, only accounts".to_string());
    }
    let outcome = machine::replay(&worlds)?;
    print!("{}", outcome.text);
    toll_svm::write(&options.out).map_err(|error| error.to_string())?;
    println!("{}: the profile; toll report, toll view", options.out.display());
    Ok(outcome.is_same)
}

fn main() -> ExitCode {
    let options = match parse(env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("toll-replay: {error}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(3),
        Err(error) => {
            eprintln!("toll-replay: {error}");
            ExitCode::FAILURE
        }
    }
}
