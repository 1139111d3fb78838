// begin.js - Replaces the still picture by the interactive page. Runs while the page is read, before it is drawn, if scripts may run.
{
  document.documentElement.dataset.scripts = "";
  for (const part of document.querySelectorAll("header, main")) part.hidden = false;
  const style = document.querySelector("style");
  if (!style.sheet) { // the server forbids styles in the page, but allows scripts
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style.textContent);
    document.adoptedStyleSheets = [sheet];
  }
}
