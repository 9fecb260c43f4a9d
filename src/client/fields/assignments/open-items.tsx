import { Button, Loader } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import { useMemo, useState } from 'react';
import { ASSIGNMENT_LIMITS } from '#shared/assignments/schema.ts';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { ItemsFailure } from './no-items-yet.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { useLive } from '#client/use-live.ts';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import classes from './open-items.module.css';
import { FoundItems, type ItemsPage } from './found-items.tsx';
import { type SelectableField, sourceGroups } from '#client/fields/assignments/lines/choices.ts';
import type { Line } from '#client/fields/assignments/lines/lines.ts';
import type { TableOf } from '#client/fields/assignments/lines/use-counts.ts';

type OpenItemsProps = {
  table: TableOf;
  masterid: string;
  lines: readonly Line[];
  fields: readonly SelectableField[];
  mayEdit: boolean;
  /** Makes a row for a value of a field. */
  onRow: (field: SelectableField, value: string) => void;
};

/** Items that no row gives a target, grouped by the values of a field: the remaining work, largest group first. */
export function OpenItems({ table, masterid, lines, fields, mayEdit, onRow }: OpenItemsProps) {
  const [field, setField] = useState<SelectableField | undefined>(() => firstField(fields));
  const [value, setValue] = useState<string | undefined>(undefined);
  const [page, setPage] = useState<ItemsPage>({ at: 0, size: 25 });
  const question = useMemo(() => ({ lines, field, value, page }), [lines, field, value, page]);
  const { answer, busy, failure, retry } = useLive(
    question,
    (signal) => {
      const { id, ...place } = table;
      const type = field === undefined || field.type === '_default' ? '_field' : field.type;
      const body = {
        ...place,
        rows: [...lines],
        field: field?.value ?? '',
        type,
        offset: page.at * page.size,
        limit: page.size,
      };
      return call(api.openItems, { params: { id }, body: value === undefined ? body : { ...body, value }, signal });
    },
    { delay: 600 },
  );
  // Rows edited meanwhile may leave fewer items than come before the chosen page.
  const lastPage = answer === null ? page.at : Math.max(0, Math.ceil(answer.matching / page.size) - 1);
  if (!busy && page.at > lastPage) setPage({ ...page, at: lastPage });
  const choose = (next: string | undefined) => {
    setValue(next);
    setPage((now) => ({ ...now, at: 0 }));
  };
  return (
    <section className="k-card k-stack" aria-labelledby="offen" aria-busy={busy}>
      <div className="k-between">
        <h2 id="offen">Noch ohne Ziel</h2>
        {busy && <Loader size={16} color="var(--k-graphic)" role="status" aria-label="wird berechnet" />}
      </div>
      <ItemsFailure failure={failure} masterid={masterid} onRetry={retry} />
      {answer !== null && answer.open === 0 && (
        <p>
          {answer.total === 1
            ? 'Der eine Artikel hat ein Ziel.'
            : `Alle ${formatInteger(answer.total)} Artikel haben ein Ziel.`}
        </p>
      )}
      {answer !== null && answer.open > 0 && (
        <div className={classes.open}>
          <div className="k-stack" style={{ gap: 8 }}>
            <FieldPicker
              label="Nach Feld"
              groups={sourceGroups(fields)}
              value={field?.value ?? ''}
              onChange={({ type, value: chosen }) => {
                setField(fields.find((one) => one.type === type && one.value === chosen));
                choose(undefined);
              }}
            />
            <ul className={classes.facets} aria-label="Werte">
              {withChosen(answer.values.slice(0, 100), value).map((entry) => (
                <li key={entry.value} className={classes.facet} data-chosen={isSame(entry.value, value) || undefined}>
                  <button
                    type="button"
                    aria-pressed={isSame(entry.value, value)}
                    onClick={() => choose(isSame(entry.value, value) ? undefined : entry.value)}
                  >
                    <span>{entry.value}</span>
                    <span className="k-muted">{formatInteger(entry.items)}</span>
                  </button>
                  {mayEdit && field !== undefined && entry.value.length <= ASSIGNMENT_LIMITS.value && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={`Zeile für ${entry.value} anlegen`}
                      title="Zeile anlegen"
                      onClick={() => onRow(field, entry.value)}
                    >
                      <IconPlus size={14} aria-hidden />
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </div>
          <div className="k-stack" style={{ gap: 8 }}>
            <p role="status">
              {formatCount(answer.matching, 'Artikel', 'Artikel')} ohne Ziel
              {value === undefined ? '' : ` mit „${value}“`}
            </p>
            <FoundItems
              masterid={masterid}
              label="Artikel ohne Ziel"
              items={answer.items}
              valueName={field?.name ?? 'Wert'}
              total={answer.matching}
              page={page}
              onPage={setPage}
            />
          </div>
        </div>
      )}
    </section>
  );
}

type Counted = { readonly value: string; readonly items: number };

/** Values are counted without regard to case. */
const isSame = (value: string, chosen: string | undefined): boolean => value.toLowerCase() === chosen?.toLowerCase();

/** Adds the chosen value if no item has it any more, so that it can be given up. */
const withChosen = (values: readonly Counted[], chosen: string | undefined): readonly Counted[] =>
  chosen === undefined || values.some(({ value }) => isSame(value, chosen))
    ? values
    : [...values, { value: chosen, items: 0 }];

/** Returns a field that probably says what kind of thing an item is. */
function firstField(fields: readonly SelectableField[]): SelectableField | undefined {
  const words = [/kategorie|category/i, /gruppe|group|art$|type/i, /marke|brand|hersteller/i];
  for (const word of words) {
    const found = fields.find(({ name, type }) => type === '_field' && word.test(name));
    if (found !== undefined) return found;
  }
  return fields.find(({ type }) => type === '_field');
}
