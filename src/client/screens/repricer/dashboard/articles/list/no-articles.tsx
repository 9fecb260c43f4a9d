import { Button } from '@mantine/core';
import IconListSearch from 'virtual:icons/list-search';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** Says why the list is empty, and leads back if a search or filter is set. */
export function NoArticles({ loaded, onReset }: { loaded: number; onReset: () => void }) {
  if (loaded === 0)
    return (
      <EmptyState icon={IconListSearch} title="Keine Artikel">
        <p>Hier stehen eigene Angebote, sobald der Marktplatz welche meldet, die zu dieser Liste gehören.</p>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={IconListSearch}
      title="Keine passenden Artikel"
      action={
        <Button variant="default" onClick={onReset}>
          Suche und Filter aufheben
        </Button>
      }
    >
      <p>Kein Artikel dieser Liste passt zu Suche und Filtern.</p>
    </EmptyState>
  );
}
