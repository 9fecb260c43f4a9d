import { useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import type { TrashEntry } from '#shared/operations/trash.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { TypedConfirmDialog } from '#client/ui/typed-confirm-dialog.tsx';
import { useFailure } from '#client/use-failure.ts';

type PurgeDialogProps = {
  entry: TrashEntry;
  /** „Katalog“ or „Export“. */
  kind: string;
  onClose: () => void;
};

/** Deletes an entry of the trash permanently, once its name was typed. */
export function PurgeDialog({ entry: { id, name, exports }, kind, onClose }: PurgeDialogProps) {
  const [failure, setFailure] = useFailure();
  const { revalidate } = useRevalidator();
  const purge = async (typed: string) => {
    setFailure(null);
    try {
      await call(api.purgeTrashed, { params: { id }, body: { name: typed } });
      showSaved(`„${name}“ wird endgültig gelöscht`);
      onClose();
      await revalidate();
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
  };
  return (
    <TypedConfirmDialog
      question={`${kind} „${name}“ endgültig löschen?`}
      name={name}
      confirm="Endgültig löschen"
      onConfirm={purge}
      onClose={onClose}
    >
      <div className="k-stack" style={{ gap: 8 }}>
        <ErrorNotice failure={failure} />
        <ul className="k-list">
          <li>Alle Daten und Dateien gehen sofort; niemand kann sie zurückholen.</li>
          {exports.length > 0 && <li>Seine Exporte gehen mit, auch ihre Adressen.</li>}
          <li>Was beim Marktplatz gilt, Bestellungen und Preisentscheidungen bleiben.</li>
        </ul>
      </div>
    </TypedConfirmDialog>
  );
}
