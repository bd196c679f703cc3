// The what-if switches of a decision. Python works out everything; here it is shown, and what the
// user chooses is sent back. All text comes in by textContent: no name or value is ever markup.

function made(tag, text = "", kind = "") {
  const found = document.createElement(tag);
  found.textContent = text;
  if (kind) found.className = kind;
  return found;
}

function listed(lines, tag = "ul") {
  const list = made(tag);
  list.append(...lines.map((line) => made("li", line)));
  return list;
}

// A switch, a slider over the cells, a menu, or a field for a number where cells are very many.
function control(feature, choose) {
  if (feature.kind === "boolean") {
    const box = made("input");
    box.type = "checkbox";
    box.onchange = () => choose({ cell: Number(box.checked) });
    return { element: box, show: (cell) => (box.checked = cell === 1) };
  }
  if (feature.values.length < feature.cells) {
    const field = made("input");
    field.type = feature.kind === "numeric" ? "number" : "text";
    field.step = "any";
    const value = () => (feature.kind === "numeric" ? field.valueAsNumber : field.value);
    field.onchange = () => choose({ raw: Number.isNaN(value()) ? null : value() });
    return { element: field, show: (_, raw) => (field.value = raw ?? "") };
  }
  if (feature.kind === "numeric") {
    const slider = made("input");
    Object.assign(slider, { type: "range", min: 0, max: feature.cells - 1, step: 1 });
    slider.onchange = () => choose({ cell: slider.valueAsNumber });
    return { element: slider, show: (cell) => (slider.value = cell) };
  }
  const menu = made("select");
  menu.append(...feature.values.map(({ cell, text }) => new Option(text, cell)));
  menu.onchange = () => choose({ cell: Number(menu.value) });
  return { element: menu, show: (cell) => (menu.value = cell) };
}

function row(model, feature, number) {
  const { element, show } = control(feature, (value) =>
    model.send({ kind: "choose", feature: feature.name, ...value }),
  );
  const line = made("div", "", "control");
  const name = made("label", feature.name);
  element.id = `reasons-${Math.random().toString(36).slice(2)}`; // a page may show several widgets
  name.htmlFor = element.id;
  const guard = made("input");
  guard.type = "checkbox";
  guard.title = `protect ${feature.name}`;
  guard.setAttribute("aria-label", guard.title);
  guard.onchange = () => {
    const others = model.get("protected").filter((other) => other !== feature.name);
    model.send({ kind: "protect", features: guard.checked ? [...others, feature.name] : others });
  };
  const value = made("output");
  line.append(name, element, guard, value);
  return {
    line,
    show(answer, first, isProtected) {
      const cell = answer.cells[number];
      show(cell, answer.instance[feature.name]);
      guard.checked = isProtected;
      value.textContent = feature.values[cell]?.says ?? String(answer.instance[feature.name]);
      line.classList.toggle("changed", cell !== first[number]);
      const needed = answer.necessary?.characteristics ?? [];
      line.classList.toggle("necessary", needed.some((one) => one.feature === feature.name));
    },
  };
}

function verdict(bias, texts) {
  const { decision, classifier } = bias;
  const lines = [`This decision is ${decision.biased ? "" : "not "}biased on ${bias.protected.join(", ")}.`];
  if (decision.biased) {
    const label = texts.get(decision.witness_label) ?? decision.witness_label;
    const values = bias.protected.map((name) => `${name} = ${decision.witness[name] ?? "missing"}`);
    lines.push(`With ${values.join(", ")} it is ${label}.`);
  }
  if (classifier.biased === null) lines.push(`Of the classifier it is not known: ${classifier.note}`);
  else lines.push(`The classifier is ${classifier.biased ? "" : "not "}biased (${classifier.proof}).`);
  return lines;
}

function changes(answer) {
  return answer.changes.map(
    ({ label_text, changed }) =>
      `${label_text} with ${changed.map(({ feature, to }) => `${feature} = ${to ?? "missing"}`).join(", ")}`,
  );
}

function shown(answer, about, error) {
  const texts = new Map(about.labels.map((label, i) => [label, about.label_texts[i]]));
  const reasons = answer.sufficient_reasons;
  const count = reasons.count === null ? "" : ` (${reasons.count})`;
  const parts = [made("div", answer.label_text, "label")];
  if (error) parts.push(made("div", error, "error"));
  if (answer.even_if) parts.push(made("div", answer.even_if, "said"));
  parts.push(listed(answer.sentences));
  if (answer.widened) {
    const widened = answer.widened.characteristics.map(({ text }) => text);
    parts.push(made("h4", "One reason, as wide as it goes"), listed(widened));
  }
  parts.push(made("h4", `Sufficient reasons${count}`));
  parts.push(listed(reasons.shown.map((term) => term.text), "ol"));
  if (reasons.note) parts.push(made("div", reasons.note));
  if (answer.changes.length) parts.push(made("h4", "Smallest changes"), listed(changes(answer)));
  if (answer.bias) parts.push(made("h4", "Bias"), listed(verdict(answer.bias, texts)));
  if (answer.notes.length) parts.push(made("h4", "Not answered"), listed(answer.notes.map(({ text }) => text)));
  return parts;
}

function render({ model, el }) {
  const about = model.get("about");
  const root = made("div", "", "reasons");
  const controls = made("fieldset");
  controls.append(made("legend", "What if? (● is necessary; the boxes on the right protect)"));
  const rows = about.features.map((feature, number) => row(model, feature, number));
  const reset = made("button", "Back to the first values");
  reset.type = "button";
  reset.onclick = () => model.send({ kind: "reset" });
  controls.append(...rows.map(({ line }) => line), reset);
  const answers = made("div");
  answers.setAttribute("aria-live", "polite");
  root.append(controls, answers);
  el.append(root);

  function draw() {
    const answer = model.get("answer");
    const guarded = new Set(model.get("protected"));
    rows.forEach(({ show }, i) => show(answer, about.first, guarded.has(about.features[i].name)));
    answers.replaceChildren(...shown(answer, about, model.get("error")));
  }
  const events = ["change:answer", "change:protected", "change:error", "msg:custom"];
  events.forEach((event) => model.on(event, draw));
  draw();
  return () => events.forEach((event) => model.off(event, draw));
}

export default { render };
