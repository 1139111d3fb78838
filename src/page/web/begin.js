// begin.js - Replaces the still picture by the interactive page. It runs, if scripts are allowed, while the browser
// reads the page and before it draws it.
{
  document.documentElement.dataset.scripts = "";
  for (const part of document.querySelectorAll("header, main")) part.hidden = false;
  const style = document.querySelector("style");
  if (!style.sheet) { // the server forbids style elements, but allows scripts
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style.textContent);
    document.adoptedStyleSheets = [sheet];
  }
}
