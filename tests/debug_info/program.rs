// program.rs - a program with generics, closures and much that is inlined.
use std::collections::HashMap;

#[derive(Debug, Clone)]
struct Point {
    x: f64,
    name: String,
}

#[no_mangle]
pub extern "C" fn work(n: u32) -> u64 {
    let mut groups: HashMap<String, Vec<Point>> = HashMap::new();
    for i in 0..n {
        let point = Point { x: f64::from(i) * 0.5, name: i.to_string() };
        groups.entry(format!("group {}", i % 17)).or_default().push(point);
    }
    let mut sorted: Vec<_> = groups.into_iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    sorted.iter().map(|(_, points)| points.iter().map(|p| p.name.len() as u64 + p.x as u64).sum::<u64>()).sum()
}

fn main() {
    println!("{}", work(1000));
}
