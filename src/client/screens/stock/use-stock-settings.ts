import { useEffect, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import type { StockEffect } from '#shared/stock/schema.ts';
import { type StockChannel, StockSettings } from '#shared/stock/settings.ts';
import { call, CallError, formTimeout } from '#client/call.ts';
import { fieldsShape } from '#client/editor/document-shape.ts';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { showSaved } from '#client/ui/notices.tsx';

const channelWords = ({ id, active, floor, cap, share }: StockChannel) =>
  `${id}: ${active ? `${share} %, Untergrenze ${floor}, höchstens ${cap ?? 'unbegrenzt'}` : 'aus'}`;

export const shape = fieldsShape<StockSettings>({
  labels: {
    field: 'Bestandsfeld',
    contains_open_orders: 'Bestand enthält offene Bestellungen',
    buffer_pieces: 'Puffer in Stück',
    buffer_percent: 'Puffer in Prozent',
    channels: 'Kanäle',
    hold_percent: 'Anhalten, wenn mehr auf 0 fallen als',
    source_hours: 'Anhalten, wenn die Quelle älter ist als',
  },
  words: (path, value) => {
    const channels = path === 'channels' ? StockSettings.shape.channels.safeParse(value).data : undefined;
    return channels?.map(channelWords).join('; ');
  },
});

export function useStockSettings(
  masterid: string,
  { settings, revision }: AnswerOf<typeof api.stockSettings>,
  onSaved: () => void,
) {
  return useDocument<StockSettings>({
    loaded: { document: settings, revision },
    shape,
    timeout: formTimeout,
    send: (draft, { revision: ifMatch, signal }) =>
      call(api.saveStockSettings, { params: { masterid }, body: draft, ifMatch, signal }),
    newest: () =>
      newestRevision({ subject: 'stock', scope: `master:${masterid}` }, (content) =>
        StockSettings.parse(content ?? {}),
      ),
    onSaved: () => {
      showSaved('Gespeichert. Die Bestände werden neu berechnet.');
      onSaved();
    },
  });
}

export type Effect = { effect: StockEffect | null; failure: string; busy: boolean };

/** Loads what the draft would change, half a second after the last edit; nothing while there is nothing unsaved. */
export function useEffectOf(masterid: string, draft: StockSettings, dirty: boolean): Effect {
  const [answer, setAnswer] = useState<{ of: StockSettings; effect: StockEffect | null; failure: string } | null>(null);
  useEffect(() => {
    if (!dirty || draft.field === '') return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call(api.stockEffect, { params: { masterid }, body: draft, signal: stop.signal }).then(
        (effect) => setAnswer({ of: draft, effect, failure: '' }),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          setAnswer({
            of: draft,
            effect: null,
            failure: error instanceof CallError ? error.message : 'Unbekannter Fehler',
          });
        },
      );
    }, 500);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [masterid, draft, dirty]);
  if (!dirty || draft.field === '') return { effect: null, failure: '', busy: false };
  if (answer?.of !== draft) return { effect: null, failure: '', busy: true };
  return { effect: answer.effect, failure: answer.failure, busy: false };
}
