import { render } from "preact";
import { App } from "./app.tsx";

// What is folded away on the screen is part of the paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});

function start(): void {
  const root = document.getElementById("page");
  if (!root) return;
  root.replaceChildren();
  render(<App />, root);
}

// The frame that is there already is painted first: working before it would keep it from the screen.
// A page that is not looked at has no frames, and starts at once.
if (document.visibilityState === "visible") requestAnimationFrame(() => setTimeout(start));
else start();
