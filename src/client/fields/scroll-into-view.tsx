import { type ReactNode, useEffect, useRef } from 'react';

/** Scrolls to what it holds whenever `of` becomes something new: a failed save must not go unseen above a long form. */
export function ScrollIntoView({ of, children }: { of: object | null; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of !== null) place.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return of === null ? null : <div ref={place}>{children}</div>;
}
