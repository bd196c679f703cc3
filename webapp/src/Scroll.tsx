/** A box that scrolls sideways, and says so as long as something is out of sight. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  label: string;
  busy: boolean;
  children: ComponentChildren;
}

export function Scroll({ label, busy, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [out, setOut] = useState({ before: false, after: false });
  const look = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = box.current ?? {};
    const now = { before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 };
    setOut((old) => (old.before === now.before && old.after === now.after ? old : now));
  };
  useEffect(() => {
    const watch = new ResizeObserver(look);
    for (const each of [box.current, box.current?.firstElementChild]) if (each) watch.observe(each);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      {(out.before || out.after) && (
        <p class="scroll-hint">{`${out.before ? "← " : ""}There are more columns: scroll sideways, or use the arrow keys${out.after ? " →" : "."}`}</p>
      )}
      <div
        ref={box}
        class={`scroll ${out.before ? "more-before" : ""} ${out.after ? "more-after" : ""}`}
        tabindex={0}
        role="region"
        aria-label={`${label}, scrollable`}
        aria-busy={busy}
        onScroll={look}
      >
        {children}
      </div>
    </>
  );
}
