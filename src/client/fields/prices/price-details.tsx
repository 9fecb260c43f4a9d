import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { PriceDecisions } from './price-decisions.tsx';
import { priceHash } from './price-path.ts';
import classes from './prices.module.css';

/** The price of an item, asked for when somebody opens it, or comes for it (`#preis`). */
export function PriceDetails({ masterid, itemid }: { masterid: string; itemid: string }) {
  const wanted = useLocation().hash === priceHash;
  const [asked, setAsked] = useState(false);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!wanted || place.current === null) return;
    place.current.open = true;
    place.current.scrollIntoView({ block: 'nearest' });
  }, [wanted]);
  return (
    <details
      ref={place}
      id={priceHash.slice(1)}
      className={classes.details}
      onToggle={({ currentTarget, target }) => target === currentTarget && currentTarget.open && setAsked(true)}
    >
      <summary>Warum dieser Preis?</summary>
      {asked && <PriceDecisions masterid={masterid} itemid={itemid} />}
    </details>
  );
}
