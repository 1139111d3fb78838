//! The attribute `#[toll::profile]`, which `toll-guest` exports.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Makes a function a section. Each call starts the section, and ends it no matter how the function
/// is left. The id is the name of the function, or the text in `#[toll::profile("swap")]`.
///
/// ```
/// #[toll::profile]
/// fn swap(amount: Option<u64>) -> Option<u64> {
///     Some(amount? / 2)
/// }
/// # assert_eq!((swap(Some(8)), swap(None)), (Some(4), None));
/// ```
///
/// The function must have a body. It must not be `const`, nor `async`, since a call of an `async`
/// function returns before the body runs:
///
/// ```compile_fail
/// #[toll::profile]
/// async fn later() {}
/// ```
///
/// ```compile_fail
/// #[toll::profile]
/// const fn early() {}
/// ```
///
/// ```compile_fail
/// trait Named {
///     #[toll::profile]
///     fn without_body();
/// }
/// ```
///
/// ```compile_fail
/// #[toll::profile(swap)]
/// fn an_id_that_is_no_text() {}
/// ```
#[proc_macro_attribute]
pub fn profile(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item).unwrap_or_else(|message| {
        format!("::core::compile_error!({message:?});").parse().expect("a macro's call")
    })
}

fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream, &'static str> {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let is =
        |token: &TokenTree, word| matches!(token, TokenTree::Ident(i) if i.to_string() == word);
    let function = tokens.iter().position(|token| is(token, "fn"));
    let function = function.ok_or("#[toll::profile] is for functions")?;
    if tokens[..function].iter().any(|token| is(token, "async") || is(token, "const")) {
        return Err("#[toll::profile] is not for async functions, nor for const ones");
    }
    let name = tokens[function + 1].to_string();
    let id = id(arguments, name.strip_prefix("r#").unwrap_or(&name))?;
    let Some(TokenTree::Group(body)) = tokens.pop() else {
        return Err("#[toll::profile] is for functions that have a body");
    };
    if body.delimiter() != Delimiter::Brace {
        return Err("#[toll::profile] is for functions that have a body");
    }
    let mut new = Group::new(Delimiter::Brace, with_section(&id, body.stream()));
    new.set_span(body.span());
    tokens.push(new.into());
    Ok(tokens.into_iter().collect())
}

/// The id as a literal.
fn id(arguments: TokenStream, name: &str) -> Result<String, &'static str> {
    let text = arguments.to_string();
    match text.as_bytes() {
        [] => Ok(format!("{name:?}")),
        [b'"', .., b'"'] if arguments.into_iter().count() == 1 => Ok(text),
        _ => Err("write #[toll::profile], or #[toll::profile(\"id\")]"),
    }
}

/// The body with a section, which is dropped at its end. Inner attributes stay first.
fn with_section(id: &str, body: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let punctuation =
        |at: usize, c| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let mut inner = 0;
    while punctuation(inner, '#') && punctuation(inner + 1, '!') {
        inner += 3;
    }
    let section = format!("let _section = ::toll::section({id});");
    let section: TokenStream = section.parse().expect("a statement");
    tokens[..inner].iter().cloned().chain(section).chain(tokens[inner..].iter().cloned()).collect()
}
