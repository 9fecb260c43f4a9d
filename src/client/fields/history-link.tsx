import { Button } from '@mantine/core';
import IconHistory from 'virtual:icons/history';
import { Link } from 'react-router';
import type { DocumentSubject } from '#shared/history/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

type HistoryLinkProps = { subject: DocumentSubject; scope: string; label?: string; size?: 'xs' };

/** Links from a document's editor to its history. `scope`: `master:<id>` or `export:<id>`. */
export function HistoryLink({ subject, scope, label = 'Verlauf', size }: HistoryLinkProps) {
  return (
    <Button
      component={Link}
      to={pathTo(pages.history, { subject, scope })}
      variant="default"
      size={size}
      leftSection={<IconHistory size={size === 'xs' ? 14 : 16} aria-hidden />}
    >
      {label}
    </Button>
  );
}
