import type { Mapping } from '#shared/assignments/schema.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Readers, ReadersFailure, useReaders } from './readers.tsx';

type DeleteDialogProps = {
  opened: boolean;
  masterid: string;
  chosen: readonly Mapping[];
  nameOf: (mapping: Mapping) => string;
  onClose: () => void;
  onConfirm: () => Promise<void>;
};

/** Asks before mappings are deleted, and names what reads them. */
export function DeleteDialog({ opened, masterid, chosen, nameOf, onClose, onConfirm }: DeleteDialogProps) {
  const one = chosen.length === 1;
  const readers = useReaders(
    masterid,
    chosen.map(({ id }) => id),
    opened,
  );
  return (
    <ConfirmDialog
      opened={opened}
      question={one ? 'Ausgewähltes Mapping wirklich löschen?' : 'Ausgewählte Mappings wirklich löschen?'}
      confirm="Löschen"
      danger
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {chosen.map((mapping) => `„${nameOf(mapping)}“`).join(', ')}. Im Verlauf{' '}
      {one ? 'bleibt es und lässt' : 'bleiben sie und lassen'} sich zurückholen.
      {readers.busy && <p className="k-muted">Welche Stellen {one ? 'es' : 'sie'} lesen, wird geprüft …</p>}
      <ReadersFailure readers={readers} />
      {readers.answer !== null && readers.answer.length > 0 && (
        <p>
          <Readers readers={readers.answer}>
            {`Folgende Stellen lesen ${one ? 'es' : 'sie'} und bekommen dann keinen Wert mehr:`}
          </Readers>
        </p>
      )}
    </ConfirmDialog>
  );
}
