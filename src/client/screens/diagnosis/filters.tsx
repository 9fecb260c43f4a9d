import { NativeSelect } from '@mantine/core';
import { severities, severityNames } from '#shared/channels/schema.ts';
import type { DiagnosedProblem } from '#shared/diagnosis/schema.ts';
import classes from './diagnosis.module.css';
import type { DiagnosisQuery } from './diagnosis-query.ts';

type FiltersProps = {
  problems: readonly DiagnosedProblem[];
  query: DiagnosisQuery;
  onChange: (name: 'severity' | 'field', value: string | null) => void;
};

/** Which problems are listed. */
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
    </div>
  );
}

/** The problems that the filters let through. */
export const filtered = (
  problems: readonly DiagnosedProblem[],
  { severity, field }: DiagnosisQuery,
): DiagnosedProblem[] =>
  problems.filter(
    (problem) => (severity === null || problem.severity === severity) && (field === null || problem.field === field),
  );
