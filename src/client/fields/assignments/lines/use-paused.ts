import { startTransition, useEffect, useState } from 'react';

/** A value as it was when it last stayed the same for a while: for what looks at all rows and may come a moment later. */
export function usePaused<Value>(value: Value, milliseconds = 300): Value {
  const [paused, setPaused] = useState({ value });
  useEffect(() => {
    const timer = setTimeout(
      () => startTransition(() => setPaused((now) => (now.value === value ? now : { value }))),
      milliseconds,
    );
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return paused.value;
}
