import { Alert } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';

type UnknownEntryProps = {
  /** „Diese Regel“. */
  what: string;
  /** What the address asks for; absent: nothing in particular. */
  wanted: string | undefined;
  entries: readonly { readonly id: string }[];
};

/** An address may name what was deleted or never saved: that is said, not only something else shown in its place. */
export function UnknownEntry({ what, wanted, entries }: UnknownEntryProps) {
  if (wanted === undefined || entries.some(({ id }) => id === wanted)) return null;
  return (
    <Alert color="yellow" variant="outline" role="status" icon={<IconHelpCircle aria-hidden />}>
      {what} aus der Adresse gibt es hier nicht: gelöscht, nie gespeichert oder aus einem anderen Katalog.
      {entries.length > 0 && ' Gezeigt wird der erste Eintrag der Liste.'}
    </Alert>
  );
}
