import { ErrorNotice } from '#client/ui/error-notice.tsx';
import type { ChosenTable } from './use-chosen-table.ts';

/** What a chosen file hides or lacks, or why it cannot be read. */
export function TableFileNotes({ chosen: { busy, notes, failure } }: { chosen: ChosenTable }) {
  return (
    <>
      <ErrorNotice failure={failure} />
      <div role="status">
        {busy && <p className="k-small k-muted">Datei wird gelesen …</p>}
        {notes.map((note) => (
          <p key={note} className="k-small k-muted">
            {note}
          </p>
        ))}
      </div>
    </>
  );
}
