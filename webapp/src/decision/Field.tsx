/** A field whose text may be wrong: it then stays as it was typed, and below it stands what is wrong. */
import { useEffect, useId, useState } from "preact/hooks";

interface Props {
  id?: string;
  /** Where no label stands beside it. */
  label?: string;
  /** What is in the field while nothing is typed. */
  text: string;
  placeholder?: string;
  inputMode: "decimal" | "numeric";
  /** What is wrong with a text; "" if it can be taken. */
  wrong: (typed: string) => string;
  /** What is wrong with the text that was taken. */
  refused?: string;
  onTyped: (typed: string) => void;
}

/** What is typed counts when it is finished (Enter, or leaving the field); Escape forgets it. */
export function Field({ id, label, text, placeholder, inputMode, wrong, refused = "", onTyped }: Props) {
  const message = useId();
  const [typed, type] = useState<string | null>(null);
  const [complaint, complain] = useState("");
  const forget = () => {
    type(null);
    complain("");
  };
  useEffect(forget, [text]);
  const said = complaint || (typed === null ? refused : "");
  const finish = () => {
    if (typed === null) return;
    const found = wrong(typed);
    complain(found);
    if (found) return;
    onTyped(typed);
    type(null);
  };
  return (
    <>
      <input
        id={id}
        class="number"
        inputMode={inputMode}
        autocomplete="off"
        aria-label={label}
        aria-invalid={said !== ""}
        aria-describedby={said ? message : undefined}
        value={typed ?? text}
        placeholder={placeholder}
        onInput={(event) => {
          type(event.currentTarget.value);
          if (complaint) complain(wrong(event.currentTarget.value));
        }}
        onChange={finish}
        onKeyDown={(event) => event.key === "Escape" && forget()}
      />
      {said && <p class="wrong" id={message} role="alert">{said}</p>}
    </>
  );
}
