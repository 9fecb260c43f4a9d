import { Button, CloseButton, Loader } from '@mantine/core';
import IconChecks from 'virtual:icons/checks';
import { useRef } from 'react';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { SuggestionTable } from './suggestion-table.tsx';
import { withOffer, type Offer } from './suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';
import { unmappedRows } from '#client/screens/construction/groups.ts';

type SuggestionPanelProps = {
  exportId: string;
  rows: readonly ConstructionRow[];
  template: ConstructionTemplate | null;
  /** Takes over rows that are already in the form. */
  onTake: (rows: readonly ConstructionRow[]) => void;
  /** Adds rows for template fields. */
  onAdd: (offers: readonly Offer[]) => void;
  onClose: () => void;
};

/** Suggestions with at least this confidence can be taken over together. */
const sure = 0.8;

/** Suggested sources for fields without one, to be taken over one by one or, if the confidence is high, together. */
export function SuggestionPanel({ exportId, rows, template, onTake, onAdd, onClose }: SuggestionPanelProps) {
  const { offers, known, busy, failure, retry } = useSuggestions(exportId, rows, template);
  const head = useRef<HTMLHeadingElement>(null);
  const open = offers.filter(({ isNew }) => !isNew);
  const more = offers.filter(({ isNew }) => isNew);
  const safe = open.filter(({ found }) => (found[0]?.confidence ?? 0) >= sure);
  const without = unmappedRows(rows).filter(({ id }) => !open.some(({ row }) => row.id === id));
  const take = (offers: readonly Offer[]) => {
    head.current?.focus();
    onTake(offers.map((offer) => withOffer(offer.row, offer)));
  };
  const add = (offer: Offer) => {
    head.current?.focus();
    onAdd([offer]);
  };
  return (
    <section className="k-card k-stack" aria-labelledby="vorschlaege" aria-busy={busy}>
      <div className="k-between">
        <div>
          <h2 id="vorschlaege" ref={head} tabIndex={-1}>
            Vorschläge für Felder ohne Quelle
          </h2>
          <p className="k-muted k-small" role="status">
            {statusOf({ known, failed: failure !== null, open: open.length, without: without.length })}
          </p>
        </div>
        <div className="k-row">
          {busy && <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />}
          {safe.length > 0 && (
            <Button leftSection={<IconChecks size={16} aria-hidden />} onClick={() => take(safe)}>
              Alle ab 80 % übernehmen ({safe.length})
            </Button>
          )}
          <CloseButton aria-label="Vorschläge schließen" onClick={onClose} />
        </div>
      </div>
      <ErrorNotice failure={failure} onRetry={retry} />
      {open.length > 0 && (
        <SuggestionTable label="Vorschläge" action="Übernehmen" offers={open} onTake={(offer) => take([offer])} />
      )}
      {known && without.length > 0 && (
        <p className="k-small">
          <span className="k-muted">Ohne Vorschlag: </span>
          {without.map((row) => (row.fieldCaption === '' ? row.exportfield : row.fieldCaption)).join(', ')}
        </p>
      )}
      {more.length > 0 && (
        <>
          <h3 className="k-strong">Weitere Felder der Vorlage, für die Ihr Katalog Werte hat</h3>
          <SuggestionTable label="Weitere Felder der Vorlage" action="Hinzufügen" offers={more} onTake={add} />
        </>
      )}
    </section>
  );
}

type Status = { known: boolean; failed: boolean; open: number; without: number };

function statusOf({ known, failed, open, without }: Status): string {
  // The notice below says what happened.
  if (failed && !known) return '';
  if (!known && open + without > 0) return 'Die Felder des Katalogs werden verglichen …';
  if (open + without === 0) return 'Alle Ausgabefelder haben eine Quelle.';
  return `${formatCount(open, 'Vorschlag', 'Vorschläge')} für ${formatCount(open + without, 'Feld', 'Felder')}. Gespeichert wird erst mit der Schaltfläche unten.`;
}
