import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { PriceDecisions } from './price-decisions.tsx';
import { priceHash } from './price-path.ts';
import classes from './prices.module.css';

/** The price of an item, asked for when somebody opens it, or comes for it (`#preis`). */
export function PriceDetails({ masterid, itemid }: { masterid: string; itemid: string }) {
  const wanted = useLocation().hash === priceHash;
  const [opened, setOpened] = useState(false);
  const container = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!wanted || container.current === null) return;
    container.current.open = true;
    container.current.scrollIntoView({ block: 'nearest' });
  }, [wanted]);
  return (
    <details
      ref={container}
      id={priceHash.slice(1)}
      className={classes.details}
      onToggle={({ currentTarget, target }) => target === currentTarget && currentTarget.open && setOpened(true)}
    >
      <summary>Warum dieser Preis?</summary>
      {opened && <PriceDecisions masterid={masterid} itemid={itemid} />}
    </details>
  );
}
