import { startTransition, useEffect, useState } from 'react';

/** Returns the value after it has stayed unchanged for a while, for expensive work on all rows. */
export function useDebouncedValue<Value>(value: Value, milliseconds = 300): Value {
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
