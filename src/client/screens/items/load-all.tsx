import { Button } from '@mantine/core';
import { mostLocally, type useAllItems } from './use-all-items.ts';

type LoadAllProps = { all: ReturnType<typeof useAllItems>; total: number; enough: boolean; onForget: () => void };

/** Loads the catalogue into the browser, where searching and sorting need no server; or gives it back. */
export function LoadAll({ all, total, enough, onForget }: LoadAllProps) {
  if (all.rows !== null || all.progress !== null) {
    const forget = () => {
      all.forget();
      onForget();
    };
    return (
      <Button variant="default" onClick={forget}>
        {all.rows === null ? 'Laden abbrechen' : 'Geladene Artikel verwerfen'}
      </Button>
    );
  }
  if (!enough || total > mostLocally) return null;
  return (
    <Button
      variant="default"
      onClick={() => void all.load(total)}
      title="Danach suchen, filtern und sortieren Sie ohne Wartezeit"
    >
      Alle laden
    </Button>
  );
}
