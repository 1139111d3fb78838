// begin.js - Runs while the page is read, before it is drawn, where scripts may run: what is for them is shown, and not the still picture.
{
  document.documentElement.dataset.scripts = "";
  for (const part of document.querySelectorAll("header, main")) part.hidden = false;
  const style = document.querySelector("style");
  if (!style.sheet) { // a server forbids styles in the page, but not scripts
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style.textContent);
    document.adoptedStyleSheets = [sheet];
  }
}
