import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** Where no account sells the catalogue yet. `mayAdmin`: whoever may not make one is not led there. */
export function NoAccount({ mayAdmin }: { mayAdmin: boolean }) {
  return (
    <EmptyState
      title="Noch kein Konto bei einem Marktplatz"
      action={
        mayAdmin && (
          <Button component={Link} to={pages.marketplaceAccounts.path}>
            Verkäuferkonten einrichten
          </Button>
        )
      }
    >
      <p>Sobald der Katalog bei einem Marktplatz verkauft wird, stehen hier seine Zahlen.</p>
    </EmptyState>
  );
}
