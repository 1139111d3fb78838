//! PROFILE - writes a profile with a label.
fn main() {
    toll_svm::label("commit=1").unwrap();
    toll_svm::write(std::env::args().nth(1).unwrap()).unwrap();
    assert!(toll_svm::take().is_empty());
}
