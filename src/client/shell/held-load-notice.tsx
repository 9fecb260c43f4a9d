import { Alert, Button } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { heldLoads } from '#client/page-load/held-loads.ts';

/** Milliseconds that the notice stays after a retry: if that fails at once, it must not blink. */
const lingerMs = 600;

/** Says that the page's data could not be reloaded, above the page as last loaded. */
export function HeldLoadNotice() {
  const now = useSyncExternalStore(heldLoads.subscribe, heldLoads.current, () => null);
  const [shown, setShown] = useState(now);
  useEffect(() => {
    if (now !== null) {
      setShown(now);
      return undefined;
    }
    const timer = setTimeout(() => setShown(null), lingerMs);
    return () => clearTimeout(timer);
  }, [now]);
  if (shown === null) return null;
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red.9"
      title={shown.title}
      mb="md"
      styles={{ message: { color: 'var(--k-text)' }, root: { background: 'var(--k-surface)' } }}
    >
      <div className="k-between">
        <span>{shown.message}</span>
        <Button variant="default" size="xs" onClick={shown.again} loading={now === null}>
          Jetzt erneut versuchen
        </Button>
      </div>
    </Alert>
  );
}
