import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ExplainedField, ExplainedRow, Explanation, RulePlace } from '#shared/explain/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './all-fields.module.css';
import type { ExplainQuery } from './explain-query.ts';
import { stageOf } from './steps.ts';
import { ValueText } from './value-text.tsx';

type AllFieldsProps = { explanation: Explanation; masterid: string; query: ExplainQuery };

/** Every field from raw to final value with the causes; a field's name restricts the page to it. */
export function AllFields({ explanation, masterid, query }: AllFieldsProps) {
  const { fields, item, export: exported, excludedBy } = explanation;
  const rows = stageOf(explanation, 'construction')?.rows ?? [];
  const missing = new Set(rows.filter((row) => row.missing).map(({ name }) => name));
  const excluded = excludedBy !== null;
  const ofExport = exported !== null && !excluded;
  const [onlyChanged, setOnlyChanged] = useState(false);
  const lines = fields.map((field, index) => ({ field, row: ofExport ? rows[index] : undefined }));
  const changed = lines.filter(({ field }) => isChanged(field));
  return (
    <section className="k-card k-stack" aria-labelledby="felder">
      <div className="k-between">
        <div>
          <h2 id="felder">Alle Felder</h2>
          <p className="k-muted k-small">
            {ofExport
              ? `Wie sie im Export ${exported.name} stehen. Ein Klick auf ein Feld zeigt nur seinen Weg.`
              : excluded
                ? 'Wie sie standen, als die Regel den Artikel ausschloss. Ein Klick auf ein Feld zeigt nur seinen Weg.'
                : 'Wie sie nach den Master-Regeln stehen. Ein Klick auf ein Feld zeigt nur seinen Weg.'}
          </p>
        </div>
        <Checkbox
          label={`Nur veränderte (${changed.length})`}
          checked={onlyChanged}
          onChange={({ currentTarget }) => setOnlyChanged(currentTarget.checked)}
        />
      </div>
      <ScrollRegion label="Alle Felder" className={classes.fields}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Feld</th>
              <th scope="col">Rohwert</th>
              <th scope="col">{excluded ? 'Wert zuletzt' : 'Wert'}</th>
              <th scope="col">Herkunft</th>
            </tr>
          </thead>
          <tbody>
            {(onlyChanged ? changed : lines).map(({ field, row }, index) => (
              <tr key={index} data-missing={missing.has(field.name) || undefined}>
                <th scope="row">
                  <Link to={explainPath(masterid, item.id, { ...query, field: field.name })} preventScrollReset>
                    {field.name}
                  </Link>
                </th>
                <td>
                  <RawValues field={field} />
                </td>
                <td data-changed={isChanged(field) || undefined}>
                  <span className={classes.clamped}>
                    <ValueText text={field.value} />
                  </span>
                  {missing.has(field.name) && <span className={classes.error}> Pflichtfeld ohne Wert</span>}
                </td>
                <td>
                  <Origin field={field} row={row} masterid={masterid} exportId={query.exportId} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

const isChanged = ({ raw, value }: ExplainedField): boolean => raw.length !== 1 || raw[0]?.value !== value;

/** A single source with the field's own name is shown without its name. */
function RawValues({ field: { name, raw } }: { field: ExplainedField }) {
  if (raw.length === 0) return <span className="k-muted">–</span>;
  return raw.map((source) => (
    <div key={source.field} className={classes.clamped}>
      {(raw.length > 1 || source.field !== name) && (
        <span className="k-muted">{source.field === '_id' ? 'Artikelnummer' : source.field}: </span>
      )}
      <ValueText text={source.value} />
      {!source.used && <span className="k-muted"> (überschrieben)</span>}
    </div>
  ));
}

type OriginProps = { field: ExplainedField; row: ExplainedRow | undefined; masterid: string; exportId: string | null };

function Origin({ field: { raw, changedBy }, row, masterid, exportId }: OriginProps) {
  if (changedBy.length === 0) return <span className="k-muted">{untouchedWords(raw.length, row)}</span>;
  return changedBy.map((rule) => (
    <div key={`${rule.scope} ${rule.number}`}>
      <Link to={editorPath(rule, masterid, exportId)}>{ruleWords(rule)}</Link>
    </div>
  ));
}

/** Says where a value comes from if no rule changed it. */
function untouchedWords(sources: number, row: ExplainedRow | undefined): string {
  if (row?.parts.length === 0) return 'keine Quelle gewählt';
  if (sources === 0 && row?.parts.every(({ field }) => field === null) === true) return 'fester Text';
  if (sources === 0) return row === undefined ? '–' : 'Quellfeld fehlt';
  if (row?.kind === 'combine') return 'Import, kombiniert';
  return row !== undefined && row.written !== row.value ? 'Import, Schreibweise der Datei' : 'Import';
}

const ruleWords = ({ scope, number, name }: RulePlace): string =>
  `${scope === 'master' ? 'Master' : 'Export'}-Regel ${number}${name.trim() === '' ? '' : ` „${name}“`}`;

function editorPath({ scope, ruleId }: RulePlace, masterid: string, exportId: string | null): string {
  return scope === 'master' || exportId === null
    ? pathTo(pages.masterRules, { masterid, ruleid: ruleId })
    : pathTo(pages.exportRules, { id: exportId, ruleid: ruleId });
}
