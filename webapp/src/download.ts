/** Files made in the browser: responses as JSON, drawings as SVG that need no style sheet. */

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

const INLINED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "opacity"];
const PADDING = 12;

/** Saves a drawing at its natural size, with the computed colours and fonts as attributes. */
export function saveSvg(name: string, drawing: SVGSVGElement, width: number, height: number): void {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [...drawing.querySelectorAll<SVGElement>("*")];
  [...copy.querySelectorAll<SVGElement>("*")].forEach((element, i) => {
    const style = getComputedStyle(originals[i]!);
    for (const property of INLINED) {
      const value = style.getPropertyValue(property);
      if (value) element.setAttribute(property, value);
    }
    for (const attribute of ["class", "style", "tabindex", "role"]) element.removeAttribute(attribute);
  });
  copy.querySelector("g")?.setAttribute("transform", `translate(${PADDING} ${PADDING})`);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${width + 2 * PADDING} ${height + 2 * PADDING}`);
  copy.setAttribute("width", String(width + 2 * PADDING));
  copy.setAttribute("height", String(height + 2 * PADDING));
  copy.removeAttribute("class");
  save(`${name}.svg`, new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
}
