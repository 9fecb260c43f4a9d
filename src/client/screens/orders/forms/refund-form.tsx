import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { reasonWords } from '#shared/orders/reason-words.ts';
import type { OrderDetails } from '#shared/orders/schema.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { useMissing } from '#client/ui/form/use-missing.tsx';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { useGone } from '#client/ui/use-gone.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { formKey } from '#client/form-key.ts';
import { firstRefundable } from './first-refundable.ts';
import { readAmount } from './read-amount.ts';

type RefundFormProps = { details: OrderDetails; onDone: () => void };

/** Refunds a part of a line's price if the channel supports it; otherwise the button says why not. */
export function RefundButton({ details, onDone }: RefundFormProps) {
  const [opened, setOpened] = useState(false);
  const [dirty, setDirty] = useState(false);
  const { possible, reason } = details.refund;
  return (
    <div className="k-row">
      <Button variant="default" size="xs" disabled={!possible} onClick={() => setOpened(true)}>
        Teil erstatten
      </Button>
      {!possible && <span className="k-muted k-small">{reason}</span>}
      <FormDialog opened={opened} dirty={dirty} onClose={() => setOpened(false)} title="Teil erstatten">
        {opened && (
          <RefundForm
            details={details}
            onDirty={setDirty}
            onClose={() => setOpened(false)}
            onDone={() => {
              setOpened(false);
              onDone();
            }}
          />
        )}
      </FormDialog>
    </div>
  );
}

type FormProps = RefundFormProps & { onDirty: (dirty: boolean) => void; onClose: () => void };

function RefundForm({ details, onDirty, onDone, onClose }: FormProps) {
  const { order, refund_reasons } = details;
  const [key] = useState(formKey);
  const [productid, setProductid] = useState(() => firstRefundable(order.lines, details.refundable));
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  useTellDirty(onDirty, typed !== '' || reason !== '');
  const most = details.refundable.find((one) => one.productid === productid)?.cents ?? 0;
  const cents = readAmount(typed);
  const wrong = typed.trim() !== '' && (cents === undefined || cents < 1 || cents > most);
  const isGone = useGone();
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const params = { orderid: order.orderid, productid };
      const body = { cents: cents ?? 0, reason };
      const answer = await call(api.refundItem, {
        params,
        query: { channel: order.channel },
        body,
        idempotencyKey: key,
      });
      showSaved(answer.success);
      onDone();
    } catch (error) {
      const failed = failureOf('Fehler beim Speichern', error);
      if (isGone()) showFailure(failed);
      else setFailure(failed);
    }
  });
  const missing = missingOf(typed, wrong, reason);
  const { hint, button } = useMissing(missing);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (missing === '') start();
  };
  const reasonChoices = refund_reasons.map((value) => ({ value, label: reasonWords(value) }));
  return (
    <form className="k-stack" onSubmit={submit} noValidate>
      <NativeSelect
        label="Position"
        value={productid}
        onChange={({ currentTarget }) => setProductid(currentTarget.value)}
        data={order.lines.map(({ productid: value, title, sku }) => ({ value, label: title === '' ? sku : title }))}
      />
      <TextInput
        label={`Betrag in ${order.currency}`}
        description={`Höchstens noch ${moneyText(most, order.currency)}.`}
        error={
          wrong ? `Bitte einen Betrag bis ${moneyText(most, order.currency)} eingeben, zum Beispiel 4,50.` : undefined
        }
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {reasonChoices.length === 0 ? (
        <TextInput
          label="Grund"
          maxLength={200}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      ) : (
        <NativeSelect
          label="Grund"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          data={[{ value: '', label: 'Bitte wählen' }, ...reasonChoices]}
        />
      )}
      <ErrorNotice failure={failure} />
      {hint}
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" disabled={busy} onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" loading={busy} {...button}>
          {missing === '' && cents !== undefined ? `${moneyText(cents, order.currency)} erstatten` : 'Erstatten'}
        </Button>
      </div>
    </form>
  );
}

function missingOf(typed: string, wrong: boolean, reason: string): string {
  if (wrong) return 'Bitte den Betrag berichtigen.';
  const reasonMissing = reason.trim() === '';
  if (typed.trim() === '') return reasonMissing ? 'Bitte Betrag und Grund angeben.' : 'Bitte einen Betrag angeben.';
  return reasonMissing ? 'Bitte einen Grund angeben.' : '';
}
