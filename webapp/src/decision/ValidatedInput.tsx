/** A text field that keeps invalid input and shows below it what is wrong. */
import { useEffect, useId, useState } from "preact/hooks";

interface Props {
  id?: string;
  /** Where there is no visible label. */
  label?: string;
  /** The text of the field while nothing is typed. */
  text: string;
  placeholder?: string;
  inputMode: "decimal" | "numeric";
  /** What is wrong with a text; "" if it is valid. */
  validate: (typed: string) => string;
  /** Why the server rejects the present text. */
  error?: string;
  onCommit: (typed: string) => void;
}

/** Input is committed by Enter or by leaving the field; Escape discards it. */
export function ValidatedInput({ id, label, text, placeholder, inputMode, validate, error = "", onCommit }: Props) {
  const messageId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [inputError, setInputError] = useState("");
  const discard = () => {
    setTyped(null);
    setInputError("");
  };
  useEffect(discard, [text]);
  const message = inputError || (typed === null ? error : "");
  const commit = () => {
    if (typed === null) return;
    const found = validate(typed);
    setInputError(found);
    if (found) return;
    onCommit(typed);
    setTyped(null);
  };
  return (
    <>
      <input
        id={id}
        class="number"
        inputMode={inputMode}
        autocomplete="off"
        aria-label={label}
        aria-invalid={message !== ""}
        aria-describedby={message ? messageId : undefined}
        value={typed ?? text}
        placeholder={placeholder}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          if (inputError) setInputError(validate(event.currentTarget.value));
        }}
        onChange={commit}
        onKeyDown={(event) => event.key === "Escape" && discard()}
      />
      {message && <p class="wrong" id={messageId} role="alert">{message}</p>}
    </>
  );
}
