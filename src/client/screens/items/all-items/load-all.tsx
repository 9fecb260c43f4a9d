import { Button, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { MAX_LOADED_ITEMS } from '#shared/items/schema.ts';
import { ignoreDoubleClick } from '#client/fields/rule-list/ignore-double-click.ts';
import type { useAllItems } from './use-all-items.ts';

type LoadAllProps = { all: ReturnType<typeof useAllItems>; items: number };

/** Stops loading the whole catalogue into the browser, where search and sorting need no server, or starts it again. */
export function LoadAll({ all, items }: LoadAllProps) {
  const place = useRef<HTMLDivElement>(null);
  const isLoaded = all.rows !== null;
  const hadFocus = useRef(false);
  useEffect(() => {
    // The button disappears when everything is loaded; if it had the focus, its container gets it.
    if (isLoaded && hadFocus.current && document.activeElement === document.body) place.current?.focus();
    hadFocus.current = false;
  }, [isLoaded]);
  if (items === 0 || items > MAX_LOADED_ITEMS) return null;
  return (
    <div ref={place} tabIndex={-1}>
      <VisuallyHidden role="status">{isLoaded ? 'Alle Artikel sind geladen.' : ''}</VisuallyHidden>
      {!isLoaded && (
        <Button
          variant="default"
          onFocus={() => {
            hadFocus.current = true;
          }}
          // The second click of a double click would undo the first.
          onClick={ignoreDoubleClick(all.progress === null ? all.load : all.cancel)}
          title={
            all.progress === null
              ? 'Danach suchen, filtern und sortieren Sie ohne Wartezeit'
              : 'Die Seiten kommen dann einzeln vom Server'
          }
        >
          {all.progress === null ? 'Alle laden' : 'Laden abbrechen'}
        </Button>
      )}
    </div>
  );
}
