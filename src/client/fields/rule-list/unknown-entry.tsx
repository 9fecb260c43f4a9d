import { Alert } from '@mantine/core';
import IconHelpCircle from 'virtual:icons/help-circle';

type UnknownEntryProps = {
  /** „Diese Regel“. */
  what: string;
  /** The entry named in the URL; absent: none. */
  wanted: string | undefined;
  entries: readonly { readonly id: string }[];
};

/** Says that the entry in the URL was deleted or never saved, instead of only showing another one. */
export function UnknownEntry({ what, wanted, entries }: UnknownEntryProps) {
  if (wanted === undefined || entries.some(({ id }) => id === wanted)) return null;
  return (
    <Alert color="yellow" variant="outline" role="status" icon={<IconHelpCircle aria-hidden />}>
      {what} aus der Adresse gibt es hier nicht: gelöscht, nie gespeichert oder aus einem anderen Katalog.
      {entries.length > 0 && ' Gezeigt wird der erste Eintrag der Liste.'}
    </Alert>
  );
}
