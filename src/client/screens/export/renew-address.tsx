import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useFailure } from '#client/use-failure.ts';

const graces = [
  { value: '7', label: 'gelten noch sieben Tage' },
  { value: '0', label: 'gelten sofort nicht mehr' },
];

/** Replaces an export's secret addresses: after one has leaked, or a channel is no longer used. */
export function RenewAddress({ id, onRenewed }: { id: string; onRenewed: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const [grace, setGrace] = useState('7');
  const [failure, setFailure] = useFailure();
  const renew = async () => {
    setFailure(null);
    try {
      await call(api.renewFeedAddress, { params: { id }, body: { graceDays: grace === '0' ? 0 : 7 } });
      setConfirming(false);
      showSaved('Neue Adressen: Bitte beim Marktplatz eintragen');
      onRenewed();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  return (
    <div>
      <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
        Neue Adresse
      </Button>
      {/* The dialog may have been closed before the answer came. */}
      <ErrorNotice failure={confirming ? null : failure} onClose={() => setFailure(null)} />
      <ConfirmDialog
        opened={confirming}
        question="Neue Adressen für diesen Export?"
        confirm="Erneuern"
        danger
        onConfirm={renew}
        onClose={() => {
          setConfirming(false);
          setFailure(null);
        }}
      >
        <div className="k-stack" style={{ gap: 8 }}>
          <ErrorNotice failure={failure} />
          <p>
            Alle Adressen dieses Exports ändern sich. Ihr Marktplatz muss die neue bekommen, sonst holt er nichts mehr.
          </p>
          <NativeSelect
            label="Die bisherigen Adressen"
            value={grace}
            data={graces}
            onChange={({ currentTarget }) => setGrace(currentTarget.value)}
          />
        </div>
      </ConfirmDialog>
    </div>
  );
}
