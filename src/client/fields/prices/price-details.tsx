import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { PriceDecisions, PriceComparisons } from './price-decisions.tsx';
import { priceHash } from './price-path.ts';
import classes from './prices.module.css';

type PriceDetailsProps = {
  masterid: string;
  itemid: string;
  /** The place shows the rulers itself, opened or not. */
  rulersAbove?: boolean;
};

/** The price of an item, asked for when somebody opens it, or comes for it (`#preis`). */
export function PriceDetails({ masterid, itemid, rulersAbove = false }: PriceDetailsProps) {
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
      {opened && (
        <div className="k-stack">
          {!rulersAbove && <PriceComparisons masterid={masterid} itemid={itemid} />}
          <PriceDecisions masterid={masterid} itemid={itemid} />
        </div>
      )}
    </details>
  );
}
