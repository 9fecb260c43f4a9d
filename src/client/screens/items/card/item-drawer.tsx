import { Drawer, Loader } from '@mantine/core';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import type { ItemRow } from '#shared/items/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { ItemCard } from './item-card.tsx';
import { type ItemsQuery, selectionOf } from '#client/screens/items/items-query.ts';
import { around } from '#client/screens/items/all-items/local-items.ts';

type Card = AnswerOf<typeof api.item>;
type ItemDrawerProps = {
  masterid: string;
  itemId: string | null;
  /** State of the catalogue that the grid shows: after an import the card is loaded again. */
  snapshot: number | null;
  /** Whose order, search and filters the buttons 'Voriger' and 'Nächster' follow. */
  query: ItemsQuery;
  /** The items that the browser shows if it filters them itself: then these are the neighbours. */
  inOrder: readonly ItemRow[] | null;
  /** Gets the focus back; if a URL opens the card, the library looks for it too late. */
  opener: RefObject<Element | null>;
  onOpen: (itemId: string | null) => void;
};

/** ITE-04: the card 'Artikeldaten' next to the grid. The old item stays until the next one is loaded. */
export function ItemDrawer({ masterid, itemId, snapshot, query, inOrder, opener, onOpen }: ItemDrawerProps) {
  const [card, setCard] = useState<{ id: string; card: Card } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  // The grid's page does not affect which item comes next.
  const selection = useMemo(() => selectionOf(masterid, query), [masterid, query]);

  useEffect(() => {
    setFailure(null);
    if (itemId === null) return;
    const stop = new AbortController();
    const load = async () => {
      try {
        const answer = await call(api.item, { params: { id: itemId }, query: selection, signal: stop.signal });
        setCard({ id: itemId, card: answer });
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden der Daten:', error));
      }
    };
    void load();
    return () => stop.abort();
  }, [selection, itemId, snapshot, attempt]);

  const close = () => onOpen(null);
  const shown = failure === null ? card?.card : undefined;
  const { previous = null, next = null } = inOrder === null ? (shown?.neighbours ?? {}) : around(inOrder, itemId);
  return (
    <Drawer
      opened={itemId !== null}
      onClose={close}
      returnFocus={false}
      onExitTransitionEnd={() => opener.current instanceof HTMLElement && opener.current.focus({ preventScroll: true })}
      position="right"
      size="min(640px, 100vw)"
      title={<span className="k-strong">Artikeldaten</span>}
    >
      <ErrorNotice failure={failure} onRetry={() => setAttempt((now) => now + 1)} />
      {shown === undefined && failure === null && (
        <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />
      )}
      {shown !== undefined && (
        <ItemCard
          masterid={masterid}
          card={shown}
          busy={card?.id !== itemId}
          onClose={close}
          onPrevious={previous === null ? undefined : () => onOpen(previous)}
          onNext={next === null ? undefined : () => onOpen(next)}
        />
      )}
    </Drawer>
  );
}
