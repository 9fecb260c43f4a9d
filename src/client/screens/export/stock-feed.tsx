import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { Export } from '#shared/exports/schema.ts';
import {
  type FoundStockFields,
  stockComplaint,
  type StockFields,
  stockRoleNames,
  stockRoles,
} from '#shared/exports/stock-fields.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';
import { useFailure } from '#client/use-failure.ts';
import classes from './export.module.css';

type StockFeedProps = {
  shown: Pick<Export, 'id' | 'settings' | 'revision' | 'file'>;
  stock: FoundStockFields;
  onSaved: () => void;
};

/** Feed type 3: its fields, and if none are found, a form to name them. */
export function StockFeed({ shown, stock, onSaved }: StockFeedProps) {
  const complaint = stockComplaint(stock.found);
  const naming = <FieldNames shown={shown} fields={stock.fields} onSaved={onSaved} />;
  if (complaint !== undefined) {
    return (
      <div className="k-stack" role="group" aria-label="Felder für Bestand und Preis">
        <p>
          <strong>{complaint}</strong> Ohne sie gibt es diese Datei nicht und auch keine Adresse. Nennen Sie die Felder
          hier, oder ergänzen Sie den Feldaufbau.
        </p>
        {naming}
      </div>
    );
  }
  return (
    <div className="k-stack" role="group" aria-label="Felder für Bestand und Preis">
      {shown.file !== null && !stock.published && (
        <p>Dort liegt noch nichts: Die Datei entsteht mit dem nächsten Lauf des Exports.</p>
      )}
      <p className="k-muted k-small">
        {stockRoleNames
          .map((role) => `${stockRoles[role].label}: ${stock.found[role].join(', ') || 'kein Feld'}`)
          .join(' · ')}
      </p>
      <details className={classes.more}>
        <summary>Andere Felder nennen</summary>
        {naming}
      </details>
    </div>
  );
}

type FieldNamesProps = Omit<StockFeedProps, 'stock'> & { fields: readonly string[] };

function FieldNames({ shown: { id, settings, revision }, fields, onSaved }: FieldNamesProps) {
  const mayEdit = useMay('edit');
  const [named, setNamed] = useState<StockFields>(settings.stockFields);
  const [failure, setFailure] = useFailure();
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    try {
      await call(api.saveExport, { params: { id }, body: { ...settings, stockFields: named }, ifMatch: revision });
      showSaved('Gespeichert');
      onSaved();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    }
  });
  return (
    <fieldset disabled={!mayEdit} className={`k-stack ${classes.names}`}>
      <div className={classes.roles}>
        {stockRoleNames.map((role) => (
          <NativeSelect
            key={role}
            label={`Feld für ${stockRoles[role].label}`}
            value={named[role]}
            onChange={({ currentTarget }) => setNamed({ ...named, [role]: currentTarget.value })}
            data={[
              { value: '', label: 'am Namen erkennen' },
              ...choices(fields, named[role]).map((field) => ({ value: field, label: field })),
            ]}
          />
        ))}
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <div>
        <Button variant="default" loading={busy} onClick={start}>
          Felder speichern
        </Button>
      </div>
    </fieldset>
  );
}

/** Returns the fields to choose from, including a chosen field that is no longer in the export. */
const choices = (fields: readonly string[], named: string): readonly string[] =>
  named === '' || fields.includes(named) ? fields : [named, ...fields];
