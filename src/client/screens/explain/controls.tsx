import { Button, NativeSelect, TextInput } from '@mantine/core';
import IconSearch from 'virtual:icons/search';
import { type SyntheticEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Explanation } from '#shared/explain/schema.ts';
import type { Master } from '#shared/masters/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import classes from './explain.module.css';
import type { ExplainQuery } from './explain-query.ts';
import { stageOf } from './steps.ts';

type ControlsProps = {
  masterid: string;
  itemid: string;
  query: ExplainQuery;
  explanation: Explanation | null;
  exports: Master['exports'];
  /** Finished runs of the chosen export, newest first. */
  runs: readonly Run[];
};

/** Chooses item, export, time and field; all are kept in the URL. */
export function Controls({ masterid, itemid, query, explanation, exports, runs }: ControlsProps) {
  const navigate = useNavigate();
  const goTo = (changed: Partial<ExplainQuery>) =>
    void navigate(explainPath(masterid, itemid, { ...query, ...changed }), { preventScrollReset: true });
  const exportChoices = exports.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <section className={`k-card ${classes.controls}`} aria-label="Was erklärt wird">
      <ItemSearch itemid={itemid} onSearch={(other) => void navigate(explainPath(masterid, other, query))} />
      <NativeSelect
        label="Export"
        value={query.exportId ?? ''}
        onChange={({ currentTarget: { value } }) => goTo({ exportId: value === '' ? null : value, runid: null })}
        data={withChosen([{ value: '', label: 'Katalog (nach Master-Regeln)' }, ...exportChoices], query.exportId)}
      />
      <NativeSelect
        label="Stand"
        value={query.runid ?? ''}
        disabled={query.exportId === null}
        description={query.exportId === null ? 'Frühere Läufe: zuerst einen Export wählen' : undefined}
        inputWrapperOrder={['label', 'input', 'description']}
        onChange={({ currentTarget: { value } }) => goTo({ runid: value === '' ? null : value })}
        data={withChosen(
          [{ value: '', label: 'Aktueller Stand' }, ...runs.map((run) => ({ value: run.runid, label: runWords(run) }))],
          query.runid,
          explanation?.run ? `Lauf vom ${formatTime(explanation.run.finishedAt)}` : undefined,
        )}
      />
      <FieldSelect query={query} explanation={explanation} onField={(field) => goTo({ field })} />
    </section>
  );
}

const runWords = ({ finishedAt, createdAt, accepted }: Run): string =>
  `Lauf vom ${formatTime(finishedAt ?? createdAt)}${accepted === null ? '' : ` (${formatCount(accepted, 'Artikel', 'Artikel')})`}`;

type Choice = { value: string; label: string };

/** Adds a choice from the URL that the list lacks, so that it is still shown as chosen. */
function withChosen(choices: Choice[], chosen: string | null, label = 'unbekannt'): Choice[] {
  return chosen === null || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label }];
}

function ItemSearch({ itemid, onSearch }: { itemid: string; onSearch: (itemid: string) => void }) {
  // Typed for one item; another one is shown by its own number. The field stays, and with it the focus.
  const [typed, setTyped] = useState({ of: itemid, text: itemid });
  if (typed.of !== itemid) setTyped({ of: itemid, text: itemid });
  const { text } = typed;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() !== '') onSearch(text.trim());
  };
  return (
    <form className={classes.search} role="search" aria-label="Artikel" onSubmit={submit}>
      <TextInput
        label="Artikelnummer"
        value={text}
        maxLength={2000}
        onChange={({ currentTarget }) => setTyped({ of: itemid, text: currentTarget.value })}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button type="submit" variant="default" aria-label="Diesen Artikel erklären" px={10}>
        <IconSearch size={16} aria-hidden />
      </Button>
    </form>
  );
}

type FieldSelectProps = {
  query: ExplainQuery;
  explanation: Explanation | null;
  onField: (field: string | null) => void;
};

function FieldSelect({ query: { field, exportId }, explanation, onField }: FieldSelectProps) {
  const exported = explanation === null ? [] : (stageOf(explanation, 'construction')?.rows ?? []);
  const exportFields = [...new Set(exported.map(({ name }) => name))];
  const imported = explanation === null ? [] : (stageOf(explanation, 'import')?.values ?? []);
  const written = explanation === null ? [] : explanation.fields.map(({ name }) => name);
  const catalogue = [...new Set([...imported.map((value) => value.field), ...written])].filter(
    (name) => !exportFields.includes(name),
  );
  const known = field === null || exportFields.includes(field) || catalogue.includes(field);
  return (
    <NativeSelect
      label="Feld"
      value={field ?? ''}
      onChange={({ currentTarget: { value } }) => onField(value === '' ? null : value)}
    >
      <option value="">Alle Felder</option>
      {!known && <option value={field}>{field}</option>}
      {exportFields.length > 0 && <FieldGroup label="Felder des Exports" names={exportFields} />}
      {catalogue.length > 0 && (
        <FieldGroup label={exportId === null ? 'Felder' : 'Felder im Katalog'} names={catalogue} />
      )}
    </NativeSelect>
  );
}

function FieldGroup({ label, names }: { label: string; names: readonly string[] }) {
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
