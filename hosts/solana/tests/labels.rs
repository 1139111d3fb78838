//! What a profile is written with: labels of the environment, and those that the program gives.

use {solana_keypair::Keypair, solana_signer::Signer};

fn airdrop(svm: &mut litesvm::LiteSVM) {
    svm.airdrop(&Keypair::new().pubkey(), 1_000_000_000).unwrap();
}

/// tests/crate/run.sh runs this again with a variable TOLL_LABELS, and with one that has none.
#[test]
fn labels_of_the_environment_and_of_the_program() {
    let own = std::env::var("TOLL_LABELS").unwrap_or_default();
    let host = if own == "commit=1,host=a" { ", host=a" } else { "" };
    airdrop(&mut toll_svm::litesvm());
    for wrong in ["host", "thread=x", "=x", "a=b\0"] {
        toll_svm::label(wrong).unwrap_err();
    }
    toll_svm::label("commit=2,zone=x").unwrap();
    toll_svm::label("commit=3\nname=a, b\n").unwrap();
    let path = std::env::temp_dir().join(format!("toll-{}.speedscope.json", std::process::id()));
    toll_svm::write(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    if std::env::var_os("TOLL_BY").is_some() {
        return; // tests/crate/run.sh looks at what is left
    }
    let title = format!("\"name\":\"main {{commit=3{host}, name=a, b, zone=x}}");
    assert!(text.contains(&title), "no {title} in {text}");
}

#[test]
fn another_test_of_two_transactions() {
    let mut svm = toll_svm::litesvm();
    for _ in 0..2 {
        airdrop(&mut svm);
    }
}
