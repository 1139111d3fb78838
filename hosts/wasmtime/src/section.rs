//! The custom section "toll" of an instrumented module.

/// Reads a module in the binary format. What is not whole ends it.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn number(&mut self) -> Option<usize> {
        let mut value = 0;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return usize::try_from(value).ok();
            }
        }
        None
    }

    fn block(&mut self) -> Option<&'a [u8]> {
        let size = self.number()?;
        let block = self.0.get(..size)?;
        self.0 = &self.0[size..];
        Some(block)
    }
}

pub fn toll(module: &[u8]) -> Option<&[u8]> {
    let mut sections = Cursor(module.strip_prefix(b"\0asm\x01\0\0\0")?);
    while !sections.0.is_empty() {
        let is_custom = sections.number()? == 0;
        let mut content = Cursor(sections.block()?);
        if is_custom && content.block()? == b"toll" {
            return Some(content.0);
        }
    }
    None
}
