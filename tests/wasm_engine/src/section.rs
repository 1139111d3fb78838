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

/// The bytes of a block of LZ4.
fn unpack(block: &[u8]) -> Vec<u8> {
    let (mut input, mut out) = (block.iter().map(|&byte| usize::from(byte)), Vec::new());
    let rest = |half: usize, input: &mut dyn Iterator<Item = usize>| {
        let mut length = half;
        while length >= 15 && half == 15 {
            let byte = input.next().unwrap();
            length += byte;
            if byte < 255 {
                break;
            }
        }
        length
    };
    while let Some(token) = input.next() {
        for _ in 0..rest(token >> 4, &mut input) {
            out.push(input.next().unwrap() as u8);
        }
        if let Some(low) = input.next() {
            let distance = low | input.next().unwrap() << 8;
            for _ in 0..rest(token & 15, &mut input) + 4 {
                out.push(out[out.len() - distance]);
            }
        }
    }
    out
}

fn told(mut body: Reader) -> Told {
    let section = body.0.to_vec();
    assert_eq!(body.number(), 8, "the version of the section");
    let (depth, functions, size) = (body.number() as u32, body.number(), body.number() as usize);
    let unpacked = if size > 0 { unpack(body.0) } else { body.0.to_vec() };
    assert!(size == 0 || unpacked.len() == size, "bytes of the block");
    let mut body = Reader(&unpacked);
    let costs = body.bytes().to_vec();
    let names: Vec<_> = (0..functions).map(|_| body.bytes().to_vec()).collect();
    let defined = body.number() as usize..names.len();
    let (_file, _build_id, _compilers) = (body.bytes(), body.bytes(), body.bytes());
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
