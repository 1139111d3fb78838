// pictures.mjs DIR PAGE|PICTURE[|FRAGMENT[|SELECTOR]]... - pictures of pages in DIR, as Chromium draws them: WebP, 1200 x 675
// pixels, light. PAGE and PICTURE are names without their endings. SELECTOR: what is clicked before.
import fs from "node:fs";
import path from "node:path";
import { launch, withPage } from "./driver.mjs";

const MOST = 150000; // bytes of a picture, in a README
const [dir, ...wanted] = process.argv.slice(2), browser = await launch("chromium");
for (const text of wanted) {
  const [page, picture, hash = "", selector] = text.split("|");
  await withPage(browser, path.join(dir, `${page}.html`), async opened => {
    if (selector) await opened.click(selector);
    await new Promise(done => setTimeout(done, 500)); // motions, and what is drawn later
    await opened.page.mouse.move(0, 0);
    const file = path.join(dir, `${picture}.webp`);
    await opened.page.screenshot({ path: file, type: "webp", quality: 85 });
    const { size } = fs.statSync(file);
    if (size > MOST) throw new Error(`${file}: ${size} bytes, more than ${MOST}`);
    console.log(`${file}: ${size} bytes`);
  }, { hash: `#theme=light${hash && `&${hash}`}`, size: [1200, 675] });
}
await browser.close();
