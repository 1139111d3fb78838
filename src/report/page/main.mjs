// The page of `toll view`. It only says what it holds so far.
const header = JSON.parse(document.getElementById("toll-header").textContent);

export function start() {
    document.getElementById("summary").textContent =
        `${header.title}: ${header.nodes} stacks, ${header.frames} functions and lines`;
    document.documentElement.dataset.frames = header.nodes;
    document.documentElement.dataset.ready = "";
}

start();
