import { Button } from '@mantine/core';
import { MAX_LOADED_ITEMS } from '#shared/items/schema.ts';
import type { useAllItems } from './use-all-items.ts';

type LoadAllProps = { all: ReturnType<typeof useAllItems>; items: number };

/** Ends the loading of the catalogue into the browser, where searching and sorting need no server; or begins it again. */
export function LoadAll({ all, items }: LoadAllProps) {
  if (all.rows !== null || items === 0 || items > MAX_LOADED_ITEMS) return null;
  if (all.progress !== null) {
    return (
      <Button variant="default" onClick={() => all.choose('paged')} title="Die Seiten kommen dann einzeln vom Server">
        Laden abbrechen
      </Button>
    );
  }
  return (
    <Button
      variant="default"
      onClick={() => all.choose('')}
      title="Danach suchen, filtern und sortieren Sie ohne Wartezeit"
    >
      Alle laden
    </Button>
  );
}
