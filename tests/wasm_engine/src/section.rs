//! Reads the custom section "toll" of an instrumented module, as toll/wasm.h describes it.

pub struct Told {
    /// All of it.
    pub section: Vec<u8>,
    pub depth: u32,
    pub costs: Vec<u8>,
    pub names: Vec<Vec<u8>>,
    /// What the stretch of each counter costs.
    pub counters: Vec<u64>,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        value
    }

    fn bytes(&mut self) -> &'a [u8] {
        let size = self.number() as usize;
        let (bytes, rest) = self.0.split_at(size);
        self.0 = rest;
        bytes
    }
}

fn told(mut body: Reader) -> Told {
    let section = body.0.to_vec();
    assert_eq!(body.number(), 6, "the version of the section");
    let (depth, costs) = (body.number() as u32, body.bytes().to_vec());
    let names: Vec<_> = (0..body.number()).map(|_| body.bytes().to_vec()).collect();
    let defined = body.number() as usize..names.len();
    let (_file, _build_id) = (body.bytes(), body.bytes());
    let _addresses: Vec<u64> = defined.clone().map(|_| body.number()).collect();
    assert_eq!(body.number(), 0, "nobody tells where functions are defined");
    let count = body.number();
    let mut counters = Vec::new();
    for _ in if count > 0 { defined } else { 0..0 } {
        for _ in 0..body.number() {
            let _address = body.number();
            counters.push(body.number());
        }
    }
    assert_eq!(counters.len() as u64, count, "the counters of all functions");
    assert_eq!(body.number(), 0, "calls have numbers for lines of calls alone");
    let mut function = 0;
    for _ in 0..body.number() {
        function += body.number() as usize;
        let (symbol, name) = (body.bytes(), &names[function]);
        assert!(!symbol.is_empty() && symbol != name, "a symbol that is the name");
    }
    assert!(body.0.is_empty(), "bytes behind the section's last");
    Told { section, depth, costs, names, counters }
}

pub fn read(module: &[u8]) -> Option<Told> {
    let mut sections = Reader(&module[8..]);
    while !sections.0.is_empty() {
        let kind = sections.number();
        let mut body = Reader(sections.bytes());
        if kind == 0 && body.bytes() == b"toll" {
            return Some(told(body));
        }
    }
    None
}
