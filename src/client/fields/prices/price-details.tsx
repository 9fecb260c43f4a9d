import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { PriceDecisions, PriceComparisons } from './price-decisions.tsx';
import { priceHash } from './price-path.ts';
import classes from './prices.module.css';

type PriceDetailsProps = {
  masterid: string;
  itemid: string;
  /** The surrounding page always shows the price comparisons itself. */
  rulersAbove?: boolean;
};

/** The price of an item, loaded when the user opens it or arrives at its anchor (`#preis`). */
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
