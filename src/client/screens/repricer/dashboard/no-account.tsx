import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { rolesWith } from '#shared/account/roles.ts';
import { pages } from '#shared/pages.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';

/** Shown while no account sells the catalogue. `mayAdmin`: only administrators get the link to create one. */
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
      {!mayAdmin && <p>Ihre Rolle darf keine Konten einrichten. Das dürfen: {rolesWith('admin')}.</p>}
    </EmptyState>
  );
}
