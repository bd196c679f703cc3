import { render } from "preact";
import { App } from "./App.tsx";

// Print also what is collapsed on the screen.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});

function start(): void {
  const root = document.getElementById("page");
  if (!root) return;
  root.replaceChildren();
  render(<App />, root);
}

// Let the browser paint the static header first; rendering right away would delay it.
// A hidden page gets no animation frames, so it starts at once.
if (document.visibilityState === "visible") requestAnimationFrame(() => setTimeout(start));
else start();
