import { NativeSelect } from '@mantine/core';
import { severities, severityNames } from '#shared/channels/schema.ts';
import type { DiagnosedProblem } from '#shared/diagnosis/schema.ts';
import classes from './diagnosis.module.css';
import { type DiagnosisQuery, type ProblemOrder, problemOrders } from './diagnosis-query.ts';

type FiltersProps = {
  problems: readonly DiagnosedProblem[];
  query: DiagnosisQuery;
  onChange: (name: 'severity' | 'field' | 'order', value: string | null) => void;
};

const orders: Readonly<Record<ProblemOrder, string>> = {
  '': 'Schwerste zuerst',
  artikel: 'Meiste Artikel zuerst',
  gewinn: 'Größte Wirkung zuerst',
  feld: 'Nach Feld',
};

/** Filters and order of the problems. */
export function Filters({ problems, query, onChange }: FiltersProps) {
  const fields = new Map(problems.map(({ field, title }) => [field, title === field ? field : `${field} (${title})`]));
  if (query.field !== null && !fields.has(query.field)) fields.set(query.field, query.field);
  const count = (name: string) => problems.filter(({ severity }) => severity === name).length;
  return (
    <div className={classes.filters}>
      <NativeSelect
        label="Schwere"
        value={query.severity ?? ''}
        onChange={({ currentTarget: { value } }) => onChange('severity', value || null)}
        data={[
          { value: '', label: `Alle (${problems.length})` },
          ...severityNames.map((name) => ({ value: name, label: `${severities[name].label} (${count(name)})` })),
        ]}
      />
      <NativeSelect
        label="Feld"
        value={query.field ?? ''}
        onChange={({ currentTarget: { value } }) => onChange('field', value || null)}
        data={[{ value: '', label: 'Alle Felder' }, ...[...fields].map(([value, label]) => ({ value, label }))]}
      />
      <NativeSelect
        label="Reihenfolge"
        value={query.order}
        onChange={({ currentTarget: { value } }) => onChange('order', value)}
        data={problemOrders.map((value) => ({ value: String(value), label: orders[value] }))}
      />
    </div>
  );
}

const collator = new Intl.Collator('de-DE', { numeric: true });
/** Equal ones stay in the server's order: the most severe and frequent first. */
const comparers: Readonly<Record<ProblemOrder, (one: DiagnosedProblem, other: DiagnosedProblem) => number>> = {
  '': () => 0,
  artikel: (one, other) => other.items - one.items,
  gewinn: (one, other) => other.gain - one.gain,
  feld: (one, other) => collator.compare(one.field, other.field),
};

/** Returns the problems that pass the filters, in the requested order. */
export const visibleProblems = (
  problems: readonly DiagnosedProblem[],
  { severity, field, order }: Pick<DiagnosisQuery, 'severity' | 'field' | 'order'>,
): DiagnosedProblem[] =>
  problems
    .filter(
      (problem) => (severity === null || problem.severity === severity) && (field === null || problem.field === field),
    )
    .toSorted(comparers[order]);
