import { useId, useRef } from 'react';
import { PriceDetails } from '#client/fields/prices/price-details.tsx';
import { PriceComparisons } from '#client/fields/prices/price-decisions.tsx';
import { useInView } from './use-in-view.ts';
import classes from './page.module.css';

/** The item's price compared with those of others, and on request every decision that led to it. */
export function PriceCard({ masterid, itemid }: { masterid: string; itemid: string }) {
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const seen = useInView(card);
  return (
    <section ref={card} id="preise" className={`k-card k-stack ${classes.card}`} aria-labelledby={titleId}>
      <h2 id={titleId}>Preis</h2>
      {seen && <PriceComparisons masterid={masterid} itemid={itemid} />}
      <PriceDetails masterid={masterid} itemid={itemid} rulersAbove />
    </section>
  );
}
