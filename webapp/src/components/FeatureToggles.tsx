/** A toggle button for each feature, to choose a set of features. */
import { useApp } from "../AppContext.ts";

export function ProtectedFeatures({ chosen }: { chosen: string[] }) {
  const { navigate } = useApp();
  return <FeatureToggles label="Protected features" chosen={chosen} onChoose={(names) => navigate({ protected: names }, true)} />;
}

interface Props {
  label: string;
  chosen: string[];
  onChoose: (names: string[]) => void;
}

export function FeatureToggles({ label, chosen, onChoose }: Props) {
  const { model } = useApp();
  const toggle = (name: string) => onChoose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <div class="toggles" role="group" aria-label={label}>
      {model.features.map(({ name }) => (
        <button type="button" key={name} aria-pressed={chosen.includes(name)} onClick={() => toggle(name)}>
          <span class="tick" aria-hidden="true">{chosen.includes(name) ? "✓" : ""}</span>
          {name}
        </button>
      ))}
    </div>
  );
}
