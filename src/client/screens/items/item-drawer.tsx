import { Drawer, Loader } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { ItemCard } from './item-card.tsx';

type Card = AnswerOf<typeof api.item>;
type ItemDrawerProps = {
  masterid: string;
  itemId: string | null;
  /** Gets the focus back; the library looks for it too late when an address opens the card. */
  opener: RefObject<Element | null>;
  onOpen: (itemId: string | null) => void;
};

/** ITE-04: the card 'Artikeldaten' beside the grid. The old item stays dimmed until the next one is there. */
export function ItemDrawer({ masterid, itemId, opener, onOpen }: ItemDrawerProps) {
  const [card, setCard] = useState<{ id: string; card: Card } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    setFailure(null);
    if (itemId === null) return;
    const stop = new AbortController();
    const load = async () => {
      try {
        const answer = await call(api.item, { params: { id: itemId }, query: { masterid }, signal: stop.signal });
        setCard({ id: itemId, card: answer });
      } catch (error) {
        if (!stop.signal.aborted) setFailure(failureOf('Fehler beim Laden', error));
      }
    };
    void load();
    return () => stop.abort();
  }, [masterid, itemId, attempt]);

  const close = () => onOpen(null);
  const shown = failure === null ? card?.card : undefined;
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
          onPrevious={shown.neighbours.previous === null ? undefined : () => onOpen(shown.neighbours.previous)}
          onNext={shown.neighbours.next === null ? undefined : () => onOpen(shown.neighbours.next)}
        />
      )}
    </Drawer>
  );
}
