import { Alert, Button, TextInput } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { StockState } from '#shared/stock/schema.ts';
import { call, CallError } from '#client/call.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';

type HeldNoticeProps = { masterid: string; state: StockState; mayRelease: boolean; onReleased: () => void };

/** Says why nothing is sent, and lets the user release it with a reason. */
export function HeldNotice({ masterid, state, mayRelease, onReleased }: HeldNoticeProps) {
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState('');
  const { busy, start } = useOnce(async () => {
    try {
      await call(api.releaseStock, { params: { masterid }, body: { reason } });
      setFailure('');
      setReason('');
      showSaved('Freigegeben');
      onReleased();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(error.fields[0]?.message ?? error.message);
    }
  });
  if (state.held === '') return null;
  return (
    <Alert
      role="region"
      aria-label="Angehalten"
      variant="outline"
      color="red.9"
      title="Angehalten: es wird kein Bestand gesendet"
      icon={<IconAlertTriangle aria-hidden />}
      styles={{
        root: { background: 'var(--k-surface)', borderColor: 'var(--k-required-solid)' },
        title: { color: 'var(--k-required-text)' },
        icon: { color: 'var(--k-required-text)' },
        message: { color: 'var(--k-text)' },
      }}
    >
      <p>{state.held}</p>
      {mayRelease && (
        <form
          className="k-row"
          style={{ alignItems: 'flex-end' }}
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <TextInput
            label="Begründung der Freigabe"
            value={reason}
            maxLength={500}
            error={failure === '' ? undefined : failure}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <Button type="submit" loading={busy}>
            Trotzdem senden
          </Button>
        </form>
      )}
    </Alert>
  );
}
