import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { printAddress } from '#client/screens/orders/print/print-orders.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from './list.module.css';
import type { Selection } from './use-selection.ts';

/** Actions on the chosen orders; hidden while none is chosen. */
export function SelectionBar({ selection, onShip }: { selection: Selection; onShip: () => void }) {
  const { orders, clear } = selection;
  if (orders.length === 0) return null;
  return (
    <section className={classes.bar} aria-label="Auswahl">
      <span role="status">{formatCount(orders.length, 'Bestellung', 'Bestellungen')} ausgewählt</span>
      <Button size="xs" onClick={onShip}>
        Versenden
      </Button>
      <Button size="xs" variant="default" component={Link} to={printAddress(pages.pickList, orders)}>
        Pickliste
      </Button>
      <Button size="xs" variant="default" component={Link} to={printAddress(pages.packingSlips, orders)}>
        Lieferscheine
      </Button>
      <Button size="xs" variant="subtle" onClick={clear}>
        Auswahl aufheben
      </Button>
    </section>
  );
}
