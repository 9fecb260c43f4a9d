import { useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { ActionTaken } from '#shared/orders/schema.ts';
import { call, CallError } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { showFailure, showSaved } from '#client/ui/notices.tsx';
import { useGone } from '#client/ui/use-gone.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { formKey } from '#client/form-key.ts';
import type { ItemAction } from './item-mode.ts';

/** Milliseconds that the confirmation is shown before the form closes (OIM-04). */
const confirmedMs = 2000;

export type ItemFields = {
  quantity: number;
  carrier: string;
  tracking: string;
  returntracking: string;
  reason: string;
};

/** In conflict, or no longer possible. */
const refusals: ReadonlySet<number> = new Set([409, 422]);

/**
 * Sends a form about one line. A failure is shown in it and keeps the typed values; success closes it. If the form was closed
 * meanwhile, a notice tells the outcome: closing it has not stopped what was sent.
 */
export function useItemForm(action: ItemAction, fields: ItemFields, { onDone, onClose }: ItemFormEnds) {
  const [key] = useState(formKey);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [success, setSuccess] = useState('');
  const isGone = useGone();
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      const answer = await send(action, fields, key);
      if (isGone()) showSaved(answer.success);
      else setSuccess(answer.success);
      onDone();
    } catch (error) {
      const failed = failureOf('Fehler beim Speichern', error);
      if (isGone()) showFailure(failed);
      else setFailure(failed);
      // A refusal often means that somebody else has acted: the form then shows what is open now.
      if (error instanceof CallError && refusals.has(error.status)) onDone();
    }
  });
  useEffect(() => {
    if (success === '') return undefined;
    const timer = setTimeout(onClose, confirmedMs);
    return () => clearTimeout(timer);
  }, [success, onClose]);
  return { busy, failure, success, save: start };
}

/** `onDone`: the action was accepted or refused, so the shown data is outdated. Both must stay the same function. */
export type ItemFormEnds = { onDone: () => void; onClose: () => void };

function send({ mode, order, line }: ItemAction, fields: ItemFields, idempotencyKey: string): Promise<ActionTaken> {
  const { quantity, carrier, tracking, returntracking, reason } = fields;
  const [orderid, productid, query] = [order.orderid, line.productid, { channel: order.channel }];
  const item = { orderid, productid, state: mode, quantity };
  if (mode === 'sent')
    return call(api.fulfillItem, {
      params: { orderid, productid },
      query,
      body: { ...item, send: tracking, return: returntracking, carrier, tracking, returntracking },
      idempotencyKey,
    });
  const request = { params: { orderid, productid, quantity, reason }, query, body: item, idempotencyKey };
  return mode === 'cancel' ? call(api.cancelItem, request) : call(api.returnItem, request);
}
