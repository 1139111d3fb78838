// page.mjs - does the work in the page or in a worker, shows the functions with the highest cost, and offers the
// profile for download.
import { profiled } from "./work.mjs";

const inWorker = () => new Promise((done, fail) => {
  const worker = new Worker("worker.mjs", { type: "module" });
  worker.onmessage = event => done(event.data);
  worker.onerror = event => fail(new Error(event.message));
});

function offer(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.textContent = link.download = name;
  document.querySelector("#files").append(link, " ");
}

const show = (id, text) => (document.querySelector(id).textContent = text);

try {
  const { result, files, top } = await (location.search === "?worker" ? inWorker() : profiled(globalThis.initSqlJs));
  for (const [name, bytes] of Object.entries(files)) offer(name, bytes);
  show("#top", top);
  show("#state", result);
} catch (error) {
  show("#state", `failed: ${error.message}`);
  throw error;
}
