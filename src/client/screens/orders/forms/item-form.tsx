import { Alert, Button, NativeSelect, TextInput } from '@mantine/core';
import IconCheck from 'virtual:icons/check';
import { type SyntheticEvent, useState } from 'react';
import { cancelReasons, type OrderRow, returnReasons } from '#shared/orders/schema.ts';
import { useEvent } from '#client/ui/use-event.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { BoundedNumberInput } from '#client/ui/form/bounded-number-input.tsx';
import { goToUnread } from '#client/ui/form/unread-field.ts';
import { useMissing } from '#client/ui/form/use-missing.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { CarrierField } from './carrier-field.tsx';
import {
  currentAction,
  type ItemAction,
  missingOf,
  modeWords,
  mostOf,
  paybackText,
  piecesText,
  presetOf,
} from './item-mode.ts';
import { type ItemFields, type ItemFormEnds, useItemForm } from './use-item-form.ts';
import classes from './forms.module.css';

type ItemModalProps = {
  action: ItemAction | null;
  /** The orders as the page shows them now. */
  orders: readonly OrderRow[];
} & ItemFormEnds;

/** OIM: ships, cancels or takes back pieces of one line of an order. */
export function ItemModal({ action, orders, onDone, onClose }: ItemModalProps) {
  const [done, close] = [useEvent(onDone), useEvent(onClose)];
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog
      opened={action !== null}
      dirty={dirty}
      onClose={close}
      title={action === null ? '' : modeWords[action.mode].title}
    >
      {action !== null && (
        <ItemForm action={currentAction(action, orders)} onDirty={setDirty} onDone={done} onClose={close} />
      )}
    </FormDialog>
  );
}

/** With more choices than this, a list is no longer usable. */
const mostChoices = 200;

type ItemFormProps = { action: ItemAction; onDirty: (dirty: boolean) => void } & ItemFormEnds;

function ItemForm({ action, onDirty, onDone, onClose }: ItemFormProps) {
  const { mode, order, line } = action;
  const [preset] = useState(() => presetOf(action));
  const [fields, setFields] = useState<ItemFields>(() => ({
    quantity: preset,
    carrier: '',
    tracking: '',
    returntracking: '',
    reason: '',
  }));
  const change = (changed: Partial<ItemFields>) => setFields((now) => ({ ...now, ...changed }));
  const { busy, failure, success, save } = useItemForm(action, fields, { onDone, onClose });
  const { carrier, tracking, returntracking, reason } = fields;
  const chosen = fields.quantity !== preset || [carrier, tracking, returntracking, reason].some(Boolean);
  useTellDirty(onDirty, success === '' && chosen);
  const missing = success === '' ? missingOf(mode, fields) : '';
  const { hint, button } = useMissing(missing);
  const reasons = mode === 'cancel' ? cancelReasons : returnReasons;
  const payback = paybackText(action, fields.quantity);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (goToUnread(event.currentTarget)) return;
    if (missing === '' && success === '') save();
  };
  return (
    <form className="k-stack" onSubmit={submit} noValidate>
      <div>
        <p className="k-strong">{line.title === '' ? line.sku : line.title}</p>
        <p className="k-muted k-small">
          {line.sku} · Bestellung {order.orderid} · {piecesText(mode, line)}
        </p>
      </div>
      <fieldset className={classes.fields} disabled={success !== ''}>
        <QuantityField
          // What the user chose stays until the user changes it, also if fewer pieces are left meanwhile.
          most={Math.max(mostOf(mode, line), fields.quantity)}
          quantity={fields.quantity}
          onQuantity={(quantity) => change({ quantity })}
        />
        {mode === 'sent' ? (
          <>
            <CarrierField order={order} carrier={fields.carrier} onCarrier={(carrier) => change({ carrier })} />
            <TextInput
              label="Sendungsnummer"
              required
              maxLength={100}
              autoComplete="off"
              value={fields.tracking}
              onChange={({ currentTarget }) => change({ tracking: currentTarget.value })}
            />
            <TextInput
              label="Retouren-Sendungsnummer"
              placeholder="optional"
              maxLength={100}
              autoComplete="off"
              value={fields.returntracking}
              onChange={({ currentTarget }) => change({ returntracking: currentTarget.value })}
            />
          </>
        ) : (
          <NativeSelect
            label="Grund"
            data-autofocus
            required
            value={fields.reason}
            onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
            data={[
              { value: '', label: 'Bitte wählen' },
              ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
            ]}
          />
        )}
      </fieldset>
      {payback !== '' && <p className="k-small">{payback}</p>}
      <ErrorNotice failure={failure} />
      {hint}
      <div role="status">
        {success !== '' && (
          <Alert variant="light" color="green.9" icon={<IconCheck aria-hidden />} className={classes.success ?? ''}>
            {success}
          </Alert>
        )}
      </div>
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" disabled={busy} onClick={onClose}>
          {success === '' ? 'Abbrechen' : 'Schließen'}
        </Button>
        <Button
          type="submit"
          loading={busy}
          {...button}
          disabled={button.disabled || success !== ''}
          color={mode === 'cancel' ? 'red.9' : undefined}
        >
          {modeWords[mode].save}
        </Button>
      </div>
    </form>
  );
}

type QuantityFieldProps = { most: number; quantity: number; onQuantity: (quantity: number) => void };

function QuantityField({ most, quantity, onQuantity }: QuantityFieldProps) {
  if (most > mostChoices)
    return <BoundedNumberInput label="Menge" min={1} max={most} value={quantity} onChange={onQuantity} />;
  return (
    <NativeSelect
      label="Menge"
      value={String(quantity)}
      onChange={({ currentTarget }) => onQuantity(Number(currentTarget.value))}
      data={Array.from({ length: most }, (_, index) => String(index + 1))}
    />
  );
}
