import { useId, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { DocumentSubject, Revision } from '#shared/history/schema.ts';
import { call, CallError } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { LimitsDialog } from '#client/fields/limits/limits-dialog.tsx';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { Changes } from './changes.tsx';
import { useLimitsBack } from './use-limits-back.ts';

/** A revision, or one part of it, to restore. */
export type RestoreChoice = { revision: Revision; part?: { id: string; name: string; from: number } };
/** `newest`: the revision that `back` and `same` compare with; only that one may be replaced. */
type RestoreRequest = RestoreChoice & { back: readonly string[]; same: boolean; newest?: number };

/** Asks before restoring and says what would change; the current state stays in the history. */
export function useRestore({ subject, scope }: { subject: DocumentSubject; scope: string }, onRestored: () => void) {
  const [pending, setPending] = useState<RestoreRequest | null>(null);
  const [loading, setLoading] = useState<number | null>(null);
  const params = { subject, scope };
  const { mayRestore, asked: askedLimits } = useLimitsBack(params);
  const sameId = useId();

  const want = async (wanted: RestoreChoice) => {
    if (wanted.part !== undefined) return setPending({ ...wanted, back: [], same: false });
    setLoading(wanted.revision.revision);
    try {
      const { back, same, newest } = await call(api.revision, {
        params: { ...params, revision: wanted.revision.revision },
      });
      setPending({ ...wanted, back, same, newest });
    } catch (error) {
      showFailure(failureOf('Fehler beim Laden', error));
    } finally {
      setLoading(null);
    }
  };
  const restore = async () => {
    if (pending === null) return;
    const { revision, part, newest } = pending;
    const body = part === undefined ? { revision: revision.revision } : { revision: part.from, part: part.id };
    try {
      const { go, ...over } = await mayRestore(body);
      if (!go) return setPending(null);
      const asked = newest === undefined ? {} : { ifMatch: newest };
      const { message } = await call(api.restore, { params, body, ...over, ...asked });
      setPending(null);
      showSaved(message);
      onRestored();
    } catch (error) {
      showFailure(failureOf('Fehler beim Wiederherstellen', error));
      // Someone else has saved: what the dialog says would change is no longer true, and the list lacks that save.
      if (!(error instanceof CallError && error.status === 409)) return;
      setPending(null);
      onRestored();
    }
  };
  const dialog = (
    <>
      <ConfirmDialog
        opened={pending !== null}
        question={pending?.part === undefined ? 'Diesen Stand wiederherstellen?' : `${pending.part.name} zurückholen?`}
        confirm={pending?.part === undefined ? 'Wiederherstellen' : 'Zurückholen'}
        refusedBy={pending?.same === true ? sameId : undefined}
        onConfirm={restore}
        onClose={() => setPending(null)}
      >
        {pending !== null && <Consequence {...pending} sameId={sameId} />}
      </ConfirmDialog>
      <LimitsDialog pending={askedLimits} />
    </>
  );
  return { want: (wanted: RestoreChoice) => void want(wanted), loading, dialog };
}

function Consequence({ revision, part, back, same, sameId }: RestoreRequest & { sameId: string }) {
  if (part !== undefined)
    return <p>Wie vor dem Löschen, an ihrer alten Stelle. Alles, was seither geändert wurde, bleibt.</p>;
  return (
    <div className="k-stack" style={{ gap: 8 }}>
      <p>
        Stand {revision.revision} von {revision.author}, {formatTime(revision.createdAt)}, wird der neueste. Der heutige
        bleibt im Verlauf.
      </p>
      {same && <p id={sameId}>Er ist derselbe wie der heutige: es ändert sich nichts.</p>}
      {!same && back.length === 0 && (
        <p>Er ist anders gespeichert als der heutige, bedeutet aber, soweit es sich in Worten sagen lässt, dasselbe.</p>
      )}
      {back.length > 0 && (
        <>
          <p className="k-strong">Das ändert sich:</p>
          <Changes changes={back} />
        </>
      )}
    </div>
  );
}
