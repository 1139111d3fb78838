//! The specification's scripts (.wast), form by form, so that one that does not work hides no other.

use crate::toll;
use wast::lexer::{Lexer, TokenKind};
use wast::parser::{self, ParseBuffer};
use wast::token::Id;
use wast::{QuoteWat, Wast, WastDirective, WastExecute, Wat};

/// The top-level forms of a script. A script that is a module without `(module` is one form.
pub fn forms(script: &str) -> Vec<&str> {
    let (mut forms, mut depth, mut start, mut at) = (vec![], 0, 0, 0);
    let mut lexer = Lexer::new(script);
    lexer.allow_confusing_unicode(true);
    while let Ok(Some(token)) = lexer.parse(&mut at) {
        match token.kind {
            TokenKind::LParen => {
                if depth == 0 {
                    start = token.offset;
                }
                depth += 1;
            }
            TokenKind::RParen => {
                depth -= 1;
                if depth == 0 {
                    forms.push(&script[start..at]);
                }
            }
            _ => {}
        }
    }
    match forms.first() {
        Some(first) if !is_directive(first) => vec![script],
        _ => forms,
    }
}

/// The line of a form in its script.
pub fn line(script: &str, form: &str) -> usize {
    let offset = form.as_ptr() as usize - script.as_ptr() as usize;
    script[..offset].matches('\n').count() + 1
}

fn is_directive(form: &str) -> bool {
    let word = form[1..].trim_start();
    ["assert_", "module", "component", "register", "invoke", "thread", "wait"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// A form with Toll in it.
pub enum Form {
    /// Text, with its modules instrumented. `leaves`: frames may stay open.
    Text { text: String, modules: usize, leaves: bool, asserts: bool },
    /// Text of an invalid module whose fault is an index that is too large: Toll adds types, locals,
    /// globals and labels, so the index may be good in the new module.
    Index { text: String },
    /// Toll refuses the module; `may_be_bad` if the form says that the module is.
    Refused { why: String, may_be_bad: bool },
    /// Cannot be done here.
    Skipped(String),
}

pub fn parse<T>(form: &str, take: impl FnOnce(&mut WastDirective) -> T) -> Result<T, String> {
    let mut lexer = Lexer::new(form);
    lexer.allow_confusing_unicode(true);
    let buffer = ParseBuffer::new_with_lexer(lexer).map_err(|e| e.message())?;
    let mut wast = parser::parse::<Wast>(&buffer).map_err(|e| e.message())?;
    Ok(take(&mut wast.directives[0]))
}

pub fn instrumented(form: &str) -> Form {
    if form.starts_with("(thread") || form.starts_with("(wait") {
        return Form::Skipped("threads with scripts of their own".into());
    }
    parse(form, |directive| rewrite(form, directive)).unwrap_or_else(Form::Skipped)
}

fn text(text: String, modules: usize, leaves: bool, asserts: bool) -> Form {
    Form::Text { text, modules, leaves, asserts }
}

fn rewrite(form: &str, directive: &mut WastDirective) -> Form {
    use WastDirective::*;
    match directive {
        Module(module) => around(module.encode(), "(module", name(module.name()), ")", false),
        ModuleDefinition(module) => {
            around(module.encode(), "(module definition", name(module.name()), ")", false)
        }
        AssertMalformed { module, .. } => bad(form, module, ""),
        AssertInvalid { module, message, .. } => bad(form, module, message),
        AssertUnlinkable { module, .. } => {
            around(module.encode(), "(assert_unlinkable (module", String::new(), ") \"\")", false)
        }
        AssertTrap { exec: WastExecute::Wat(module), message, .. } => {
            let end = format!(") {message:?})");
            around(module.encode(), "(assert_trap (module", String::new(), &end, true)
        }
        AssertException { exec: WastExecute::Wat(module), .. } => {
            around(module.encode(), "(assert_exception (module", String::new(), "))", true)
        }
        AssertTrap { .. } | AssertException { .. } | AssertExhaustion { .. } => {
            text(form.into(), 0, true, true)
        }
        AssertReturn { .. } => text(form.into(), 0, false, true),
        Invoke(_) | Register { .. } | ModuleInstance { .. } => text(form.into(), 0, false, false),
        _ => Form::Skipped("a directive that wasmtime-wast does not run".into()),
    }
}

/// A module that must be refused, by Toll or else by the engine.
fn bad(form: &str, module: &mut QuoteWat, fault: &str) -> Form {
    let bytes = match module.encode() {
        Err(_) => return text(form.into(), 0, false, true), // not even text
        Ok(bytes) if is_component(&bytes) => return Form::Skipped("components".into()),
        Ok(bytes) => bytes,
    };
    let new = match toll::instrument(&bytes, toll::INSTRUCTIONS, None, false) {
        Err(why) => return Form::Refused { why, may_be_bad: true },
        Ok(new) => format!("(assert_invalid (module binary {}) \"\")", quoted(&new)),
    };
    match fault.starts_with("unknown ") {
        true => Form::Index { text: new },
        false => text(new, 1, false, true),
    }
}

fn around(
    encoded: Result<Vec<u8>, wast::Error>,
    start: &str,
    name: String,
    end: &str,
    leaves: bool,
) -> Form {
    let asserts = start.starts_with("(assert");
    match encoded {
        Err(e) => Form::Skipped(e.message()),
        Ok(bytes) if is_component(&bytes) => Form::Skipped("components".into()),
        Ok(bytes) => match toll::instrument(&bytes, toll::INSTRUCTIONS, None, false) {
            Err(why) => Form::Refused { why, may_be_bad: false },
            Ok(new) => {
                text(format!("{start} {name} binary {}{end}", quoted(&new)), 1, leaves, asserts)
            }
        },
    }
}

fn name(id: Option<Id>) -> String {
    id.map(|id| format!("${}", id.name())).unwrap_or_default()
}

fn is_component(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(&[0x0d, 0, 1, 0])
}

fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3 + 2);
    text.push('"');
    for byte in bytes {
        text.push_str(&format!("\\{byte:02x}"));
    }
    text.push('"');
    text
}

/// The module of a form that defines one, as bytes.
pub fn module_of(directive: &mut WastDirective) -> Option<Vec<u8>> {
    match directive {
        WastDirective::Module(QuoteWat::Wat(Wat::Module(module))) => module.encode().ok(),
        WastDirective::Module(module) => module.encode().ok(),
        _ => None,
    }
}
