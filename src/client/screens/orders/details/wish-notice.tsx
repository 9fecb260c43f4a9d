import { Alert, Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useMay } from '#client/shell/session.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { showFailure, showSaved } from '#client/ui/notices.tsx';

type WishNoticeProps = { orderid: string; channel: string; onDone: () => void };

/** The buyer wants to cancel: nothing is shipped until a user decides. */
export function WishNotice({ orderid, channel, onDone }: WishNoticeProps) {
  const [confirming, setConfirming] = useState(false);
  const mayOrders = useMay('orders');
  const decline = async () => {
    try {
      await call(api.declineCancellation, { params: { orderid }, query: { channel } });
      setConfirming(false);
      showSaved('Die Bestellung wird trotzdem versendet.');
      onDone();
    } catch (error) {
      showFailure(failureOf('Fehler beim Speichern', error));
    }
  };
  return (
    <Alert
      variant="outline"
      color="yellow.9"
      title="Der Käufer möchte stornieren"
      icon={<IconAlertTriangle aria-hidden />}
      styles={{
        root: { background: 'var(--k-surface)' },
        title: { color: 'var(--k-text)' },
        message: { color: 'var(--k-text)' },
        icon: { color: 'var(--k-optional-text)' },
      }}
    >
      <div className="k-between">
        <span>
          {mayOrders
            ? 'Stornieren Sie die Positionen, oder entscheiden Sie, dass trotzdem versendet wird.'
            : 'Bitte nicht versenden, bis jemand entschieden hat.'}
        </span>
        {mayOrders && (
          <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
            Trotzdem versenden
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={confirming}
        question="Trotz Stornowunsch versenden?"
        confirm="Trotzdem versenden"
        onConfirm={decline}
        onClose={() => setConfirming(false)}
      >
        Die Sperre der Bestellung wird aufgehoben. Der Käufer kann die Annahme verweigern oder retournieren.
      </ConfirmDialog>
    </Alert>
  );
}
