//! The custom section "toll" of an instrumented module, after its description in toll/wasm.h.

pub struct Told {
    pub depth: u32,
    pub costs: Vec<u8>,
    pub names: Vec<Vec<u8>>,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> u32 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            value |= u32::from(byte & 127) << shift;
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

pub fn read(module: &[u8]) -> Option<Told> {
    let mut sections = Reader(&module[8..]);
    while !sections.0.is_empty() {
        let kind = sections.number();
        let mut body = Reader(sections.bytes());
        if kind == 0 && body.bytes() == b"toll" {
            assert_eq!(body.number(), 3, "the version of the section");
            let (depth, costs) = (body.number(), body.bytes().to_vec());
            let names = (0..body.number()).map(|_| body.bytes().to_vec()).collect();
            assert!(body.0.is_empty(), "bytes behind the section's last");
            return Some(Told { depth, costs, names });
        }
    }
    None
}
