import { useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { BulkParcel } from '#shared/orders/tracking.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { formKey } from '#client/form-key.ts';
import { orderKey } from '#client/screens/orders/list/order-words.ts';
import { useFailure } from '#client/use-failure.ts';

/** The result of shipping an order's parcel. */
export type ParcelResult = { readonly ok: boolean; readonly message: string };
/** By the key of the order. */
export type ParcelResults = ReadonlyMap<string, ParcelResult>;

/**
 * Reports parcels as shipped, each on its own. If no answer came, nobody knows what was accepted: the same parcels are then sent
 * under the same key, so that none is accepted twice.
 */
export function useShipping(onDone: (results: ParcelResults) => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useFailure();
  const [results, setResults] = useState<ParcelResults>(new Map());
  const unanswered = useRef<{ parcels: string; key: string } | null>(null);
  const send = async (parcels: readonly BulkParcel[]) => {
    const text = JSON.stringify(parcels);
    const key = unanswered.current?.parcels === text ? unanswered.current.key : formKey();
    unanswered.current = { parcels: text, key };
    setBusy(true);
    setFailure(null);
    try {
      const answer = await call(api.shipOrders, { body: { parcels: [...parcels] }, idempotencyKey: key });
      unanswered.current = null;
      setResults((before) => merged(before, answer.results));
      onDone(merged(new Map(), answer.results));
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    } finally {
      setBusy(false);
    }
  };
  const forget = () => {
    setResults(new Map());
    setFailure(null);
  };
  return { busy, failure, results, send, forget };
}

type Result = ParcelResult & { orderid: string; channel: string };

/** Returns results by order; for an order with several parcels, the first failure. */
function merged(before: ParcelResults, results: readonly Result[]): Map<string, ParcelResult> {
  const next = new Map(before);
  for (const [key, own] of Map.groupBy(results, orderKey)) {
    const shown = own.find(({ ok }) => !ok) ?? own[0];
    if (shown !== undefined) next.set(key, shown);
  }
  return next;
}
