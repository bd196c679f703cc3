/** A box that scrolls horizontally, with a hint while columns are out of sight. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  label: string;
  busy: boolean;
  children: ComponentChildren;
}

export function HorizontalScroll({ label, busy, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState({ left: false, right: false });
  const measure = () => {
    const { scrollLeft = 0, scrollWidth = 0, clientWidth = 0 } = box.current ?? {};
    const now = { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 };
    setHidden((old) => (old.left === now.left && old.right === now.right ? old : now));
  };
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    for (const element of [box.current, box.current?.firstElementChild]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {(hidden.left || hidden.right) && (
        <p class="scroll-hint">{`${hidden.left ? "← " : ""}More columns: scroll sideways or use the arrow keys${hidden.right ? " →" : ""}`}</p>
      )}
      <div
        ref={box}
        class={`scroll ${hidden.left ? "more-before" : ""} ${hidden.right ? "more-after" : ""}`}
        tabindex={0}
        role="region"
        aria-label={`${label}, scrollable`}
        aria-busy={busy}
        onScroll={measure}
      >
        {children}
      </div>
    </>
  );
}
