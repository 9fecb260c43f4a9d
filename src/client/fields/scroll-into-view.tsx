import { type ReactNode, useEffect, useRef } from 'react';

/** Scrolls to its content whenever `of` becomes a new object: a failed save must not go unseen above a long form. */
export function ScrollIntoView({ of, children }: { of: object | null; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of !== null) element.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return of === null ? null : <div ref={element}>{children}</div>;
}
