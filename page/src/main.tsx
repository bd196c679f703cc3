import { render } from "preact";
import { App } from "./app.tsx";

// What is folded away on the screen is part of the paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});

const root = document.getElementById("page");
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
