import { useId, useState } from 'react';

/** Keys for the parts of a list: they have no ids on the wire, but sorting needs some. */
export function usePartKeys(count: number) {
  const id = useId();
  const [made, setMade] = useState<{ list: string[]; next: number }>(() => ({
    list: Array.from({ length: count }, (_, index) => `${id}${index}`),
    next: count,
  }));
  let now = made;
  if (made.list.length !== count) {
    const missing = Math.max(0, count - made.list.length);
    const added = Array.from({ length: missing }, (_, index) => `${id}${made.next + index}`);
    now = { list: [...made.list.slice(0, count), ...added], next: made.next + missing };
    setMade(now);
  }
  return { list: now.list, set: (list: string[]) => setMade({ ...now, list }) };
}
