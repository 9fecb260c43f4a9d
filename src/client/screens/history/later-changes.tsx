import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { DocumentSubject, RevisionChanges } from '#shared/history/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { Changes } from './changes.tsx';

type LaterChangesProps = {
  subject: DocumentSubject;
  scope: string;
  saved: { revision: number; compared: boolean; changes: readonly string[] };
  onFound?: (found: RevisionChanges) => void;
};

/** Shows what a save changed; for large tables only on demand, since comparing them takes a while. */
export function LaterChanges({ subject, scope, saved, onFound }: LaterChangesProps) {
  const [found, setFound] = useState<readonly string[] | null>(null);
  const [busy, setBusy] = useState(false);
  const show = async () => {
    setBusy(true);
    try {
      const params = { subject, scope, number: saved.revision };
      const compared = await call(api.revisionChanges, { params });
      setFound(compared.changes);
      onFound?.(compared);
    } catch (error) {
      showFailure(failureOf('Fehler beim Vergleichen', error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Changes changes={[...saved.changes, ...(found ?? [])]} />
      {!saved.compared && found === null && (
        <div>
          <Button size="xs" variant="subtle" loading={busy} onClick={() => void show()}>
            Änderungen dieser großen Tabelle zeigen
          </Button>
        </div>
      )}
    </>
  );
}
