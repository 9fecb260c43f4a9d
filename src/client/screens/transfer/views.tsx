import { Tabs } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { transferViewNames, transferViews } from '#shared/transfer/schema.ts';
import { useAskedAddress } from '#client/paths/asked-address.ts';
import { Reasons } from './reasons.tsx';
import { type Place, TransferGrid } from './transfer-grid.tsx';
import { isUntouched, readQuery, type TransferQuery, writeQuery } from './transfer-query.ts';
import pills from '#client/ui/figures/pills.module.css';
import classes from './transfer.module.css';
import { usePage } from './use-transfer.ts';

type ViewsProps = { place: Place; version: number; onRetry: () => void };

/** The three views; the open one is kept in the URL. */
export function Views({ place, version, onRetry }: ViewsProps) {
  const [search, setSearch] = useSearchParams();
  const query = readQuery(search);
  const { answer, failure, busy } = usePage(place.id, query, version);
  const requested = readQuery(useAskedAddress());
  // Each tab has its own table: without this, returning to the first tab would open the standard view again.
  const [acted, setActed] = useState(false);
  const go = (changed: Partial<TransferQuery>, replace = false) => {
    setActed(true);
    setSearch(writeQuery({ ...requested, ...changed }), { preventScrollReset: true, replace });
  };
  const last = answer === null ? query.page : Math.max(0, Math.ceil(answer.total / query.size) - 1);
  const goToLast = useEffectEvent(() => go({ page: last }, true));
  // There may be fewer rows than when the page was chosen, or the URL came from elsewhere.
  const isBeyond = !busy && query.page > last;
  useEffect(() => {
    if (isBeyond) goToLast();
  }, [isBeyond]);
  return (
    <Tabs
      value={query.view}
      onChange={(view) => go({ view: transferViewNames.find((name) => name === view) ?? 'list', page: 0, reason: '' })}
      keepMounted={false}
      variant="none"
    >
      <Tabs.List className={`${pills.pills} ${classes.tabs}`} aria-label="Ansichten">
        {transferViewNames.map((name) => (
          <Tabs.Tab key={name} value={name} className={pills.pill}>
            {transferViews[name].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {transferViewNames.map((name) => (
        <Tabs.Panel key={name} value={name} className="k-stack">
          {name === 'failure' && (
            <Reasons
              place={place}
              version={version}
              chosen={query.reason}
              onChoose={(reason) => go({ reason, page: 0 })}
            />
          )}
          <TransferGrid
            place={place}
            query={query}
            page={answer}
            failure={failure}
            busy={busy}
            untouched={!acted && isUntouched(query)}
            onQuery={go}
            onRetry={onRetry}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
