import { Button } from '@mantine/core';
import IconShoppingCart from 'virtual:icons/shopping-cart';
import { EmptyState } from '#client/ui/empty-state.tsx';
import type { OrdersQuery } from './orders-query.ts';
import { orderFilterLabels } from '#shared/orders/state-labels.ts';

/** Says why the list is empty, and leads back if a search or filter is set. */
export function NoOrders({ query, onReset }: { query: OrdersQuery; onReset: () => void }) {
  const narrowed = query.search !== '' || query.channel !== '' || query.article !== null;
  if (narrowed)
    return (
      <EmptyState
        icon={IconShoppingCart}
        title="Keine Bestellung gefunden"
        action={
          <Button variant="default" onClick={onReset}>
            Suche und Filter aufheben
          </Button>
        }
      >
        <p>
          Unter „{orderFilterLabels[query.filter]}“ passt keine Bestellung zu Ihrer Suche. Gesucht wird nach dem Anfang
          der Bestellnummer und nach ganzen Artikel- und Sendungsnummern.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState icon={IconShoppingCart} title={query.filter === 'alle' ? 'Noch keine Bestellungen' : 'Nichts zu tun'}>
      <p>
        {query.filter === 'alle'
          ? 'Sobald ein Kanal Bestellungen meldet, stehen sie hier.'
          : `Unter „${orderFilterLabels[query.filter]}“ steht gerade keine Bestellung.`}
      </p>
    </EmptyState>
  );
}
