import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { OrderRow } from '#shared/orders/schema.ts';
import { focusSoon } from '#client/ui/focus/focus-soon.ts';
import { orderKey } from './order-words.ts';

/**
 * Places the focus when the form of an order is closed and the button that opened it is gone, as after shipping: on the order, on
 * the one now in its place, or on the filter if the list is empty. `order`: that of the open form. Returns the page's ref.
 */
export function useFocusNear(order: OrderRow | undefined, rows: readonly OrderRow[]): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  const key = order === undefined ? undefined : orderKey(order);
  const placeOf = useEffectEvent((wanted: string) => rows.findIndex((row) => orderKey(row) === wanted));
  useEffect(() => {
    if (key === undefined) return undefined;
    const place = placeOf(key);
    const list = page.current;
    return () =>
      focusSoon(
        () => (isLost() ? near(list, key, place) : null),
        (found) => found.focus(),
      );
  }, [key]);
  return page;
}

const isLost = (): boolean =>
  document.activeElement === document.body && document.querySelector('[aria-modal="true"]') === null;

function near(page: HTMLElement | null, key: string, place: number): HTMLElement | null | undefined {
  const orders = [...(page?.querySelectorAll<HTMLElement>('[data-order]') ?? [])];
  const same = orders.find(({ dataset }) => dataset['order'] === key);
  return same ?? orders[place] ?? orders.at(-1) ?? page?.querySelector<HTMLElement>('nav [aria-current="page"]');
}
