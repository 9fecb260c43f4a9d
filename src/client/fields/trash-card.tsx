import { Button } from '@mantine/core';
import IconTrash from 'virtual:icons/trash';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import { TRASH_DAYS } from '#shared/operations/trash.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { call } from '#client/call.ts';
import { leaveWithoutPrompt } from '#client/leaving/leaving.ts';
import { failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { TypedConfirmDialog } from '#client/ui/typed-confirm-dialog.tsx';
import { useFailure } from '#client/use-failure.ts';

type TrashCardProps = { kind: 'catalogue' | 'export'; id: string; name: string };

const words = {
  catalogue: {
    title: 'Katalog löschen',
    question: (name: string) => `Katalog „${name}“ löschen?`,
    follows: [
      'Seine Exporte gehen mit: Ihre Adressen antworten sofort nicht mehr, nichts wird hochgeladen.',
      'Zeitpläne ruhen, laufende Importe und Exporte werden abgebrochen.',
    ],
  },
  export: {
    title: 'Export löschen',
    question: (name: string) => `Export „${name}“ löschen?`,
    follows: [
      'Seine Adressen antworten sofort nicht mehr, nichts wird hochgeladen.',
      'Zeitpläne ruhen, ein laufender Export wird abgebrochen.',
    ],
  },
};

/** Moves a catalogue or an export to the trash, once its name was typed. */
export function TrashCard({ kind, id, name }: TrashCardProps) {
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useFailure();
  const navigate = useNavigate();
  const { title, question, follows } = words[kind];
  const remove = async (typed: string) => {
    setFailure(null);
    try {
      if (kind === 'catalogue') await call(api.trashMaster, { params: { masterid: id }, body: { name: typed } });
      else await call(api.trashExport, { params: { id }, body: { name: typed } });
      showSaved('In den Papierkorb gelegt');
      // Unsaved edits of something in the trash cannot be saved.
      await leaveWithoutPrompt(async () => navigate(pathTo(pages.trash)));
    } catch (error) {
      setFailure(failureOf('Fehler beim Löschen', error));
    }
  };
  return (
    <section className="k-card k-stack" aria-labelledby="loeschen">
      <h2 id="loeschen">{title}</h2>
      <p className="k-muted">Bleibt {TRASH_DAYS} Tage im Papierkorb und lässt sich so lange zurückholen.</p>
      <p>
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setConfirming(true)}>
          Löschen …
        </Button>
      </p>
      {/* The dialog may have been closed before the answer came. */}
      <ErrorNotice failure={confirming ? null : failure} onClose={() => setFailure(null)} />
      {confirming && (
        <TypedConfirmDialog
          question={question(name)}
          name={name}
          confirm="Löschen"
          onConfirm={remove}
          onClose={() => {
            setConfirming(false);
            setFailure(null);
          }}
        >
          <div className="k-stack" style={{ gap: 8 }}>
            <ErrorNotice failure={failure} />
            <ul className="k-list">
              {follows.map((one) => (
                <li key={one}>{one}</li>
              ))}
              <li>Nach {TRASH_DAYS} Tagen werden alle Daten und Dateien endgültig gelöscht.</li>
            </ul>
          </div>
        </TypedConfirmDialog>
      )}
    </section>
  );
}
