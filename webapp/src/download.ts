/** Files made in the page: answers as JSON, drawings as SVG that need no style sheet. */

export function saveJson(name: string, content: unknown): void {
  save(`${name}.json`, new Blob([JSON.stringify(content, null, 2)], { type: "application/json" }));
}

function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "opacity"];

/** The drawing at its natural size, with the colours it has on the screen written into it. */
export function saveSvg(name: string, drawing: SVGSVGElement, width: number, height: number): void {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const parts = [...drawing.querySelectorAll<SVGElement>("*")];
  [...copy.querySelectorAll<SVGElement>("*")].forEach((part, i) => {
    const style = getComputedStyle(parts[i]!);
    for (const property of KEPT) {
      const value = style.getPropertyValue(property);
      if (value) part.setAttribute(property, value);
    }
    for (const attribute of ["class", "style", "tabindex", "role"]) part.removeAttribute(attribute);
  });
  copy.querySelector("g")?.setAttribute("transform", "translate(12 12)");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${width + 24} ${height + 24}`);
  copy.setAttribute("width", String(width + 24));
  copy.setAttribute("height", String(height + 24));
  copy.removeAttribute("class");
  save(`${name}.svg`, new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
}
