/** The features as buttons: pressed ones are protected. */
import { usePage } from "../page.ts";

export function Protected({ chosen }: { chosen: string[] }) {
  const { model, go } = usePage();
  const turn = (name: string) =>
    go({ protected: chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name] }, true);
  return (
    <div class="toggles" role="group" aria-label="Protected features">
      {model.features.map(({ name }) => (
        <button type="button" key={name} aria-pressed={chosen.includes(name)} onClick={() => turn(name)}>
          <span class="tick" aria-hidden="true">{chosen.includes(name) ? "✓" : ""}</span>
          {name}
        </button>
      ))}
    </div>
  );
}
