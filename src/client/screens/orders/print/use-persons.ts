import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { orderKey } from '#client/screens/orders/list/order-words.ts';
import { useLive } from '#client/use-live.ts';
import type { OrderRef } from './print-orders.ts';

/**
 * Loads the delivery addresses of printed orders. Each reading is recorded, so it happens once per opened page, in the browser.
 */
export function usePersons(orders: readonly OrderRef[], enabled: boolean) {
  const key = orders.map(orderKey).join('\n');
  const question = useMemo(() => ({ key }), [key]);
  const { answer, busy, failure, retry } = useLive(
    question,
    async (signal) => {
      const refs = orders.map(({ channel, orderid }) => ({ channel, orderid }));
      const { addresses } = await call(api.slipAddresses, { body: { orders: refs }, signal });
      return new Map(addresses.map((one) => [orderKey(one), one.receiver]));
    },
    { delay: 0, enabled: enabled && orders.length > 0 },
  );
  return { receivers: answer, busy, failure, retry };
}
