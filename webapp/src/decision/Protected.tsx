/** The features as buttons: pressed ones are protected, or may not change. */
import { usePage } from "../page.ts";

export function Protected({ chosen }: { chosen: string[] }) {
  const { go } = usePage();
  return <Chosen label="Protected features" chosen={chosen} onChoose={(names) => go({ protected: names }, true)} />;
}

interface Props {
  label: string;
  chosen: string[];
  onChoose: (names: string[]) => void;
}

export function Chosen({ label, chosen, onChoose }: Props) {
  const { model } = usePage();
  const turn = (name: string) => onChoose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <div class="toggles" role="group" aria-label={label}>
      {model.features.map(({ name }) => (
        <button type="button" key={name} aria-pressed={chosen.includes(name)} onClick={() => turn(name)}>
          <span class="tick" aria-hidden="true">{chosen.includes(name) ? "✓" : ""}</span>
          {name}
        </button>
      ))}
    </div>
  );
}
