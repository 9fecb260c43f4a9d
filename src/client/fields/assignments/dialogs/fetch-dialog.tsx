import { Button, Checkbox, Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { ASSIGNMENT_LIMITS } from '#shared/assignments/schema.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ItemsFailure, NoItemsYet } from '#client/fields/assignments/no-items-yet.tsx';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import { type SelectableField, sourceGroups } from '#client/fields/assignments/lines/choices.ts';
import { conditionsOf, fitsTarget, type Line } from '#client/fields/assignments/lines/lines.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import { AT_ONCE, fetchedWords } from './fetched-words.ts';

export type Fetched = AnswerOf<typeof api.missingRows>[number];

type FetchDialogProps = {
  /** Id of a catalogue or an export. */
  id: string;
  masterid: string;
  lines: readonly Line[];
  fields: readonly SelectableField[];
  /** Offers to take the value over as target (MAP-03); false if targets come from a list. */
  takeOver: boolean;
  onFetched: (rows: readonly Fetched[], takeOver: boolean) => void;
  onClose: () => void;
};

/** MAP-03, CAT-08: adds the values of a field as rows, the most frequent first; existing rows stay unchanged. */
export function FetchDialog({ id, masterid, lines, fields, takeOver, onFetched, onClose }: FetchDialogProps) {
  useFocusBack();
  const [field, setField] = useState<{ type: SelectableField['type']; value: string } | null>(null);
  const [take, setTake] = useState(false);
  const [busy, setBusy] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const loading = useRef<AbortController>(undefined);
  useEffect(() => () => loading.current?.abort(), []);
  /** The first Escape aborts the loading, the next one closes the dialog. */
  const leave = () => {
    if (busy) loading.current?.abort();
    else onClose();
  };
  const fetchValues = async () => {
    // Without a chosen field there is nothing to fetch.
    if (field === null) return;
    setBusy(true);
    setAnnouncement('');
    setFailure(null);
    const stop = new AbortController();
    loading.current = stop;
    try {
      const preData = lines.flatMap((line) =>
        conditionsOf(line)
          .filter(({ input }) => input.type === field.type && input.value === field.value)
          .map(({ value }) => ({ field: field.value, value })),
      );
      const type = field.type === '_default' ? '_field' : field.type;
      const body = { field: field.value, type, preData, limit: AT_ONCE } as const;
      const rows = await call(api.missingRows, { params: { id }, body, signal: stop.signal });
      const room = ASSIGNMENT_LIMITS.rows - lines.length;
      const fitting = rows.slice(0, room);
      if (fitting.length > 0) onFetched(fitting, take);
      const withoutTarget = take ? fitting.filter(({ value }) => !fitsTarget(value)).length : 0;
      const tooLong = rows[0]?.tooLong ?? 0;
      setAnnouncement(fetchedWords({ found: rows.length, appended: fitting.length, tooLong, withoutTarget }));
    } catch (error) {
      if (stop.signal.aborted) setAnnouncement('Abgebrochen. Es wurde keine Zeile angehängt.');
      else setFailure(failureOf('Fehler beim Laden', error));
    } finally {
      setBusy(false);
    }
  };
  const groups = sourceGroups(fields.filter(({ value }) => value !== '_id'));
  return (
    <Modal opened onClose={leave} title={<span className="k-strong">Werte von Feld</span>}>
      <div className="k-stack">
        <p>
          Für jeden Wert des Feldes, der noch nicht in der Tabelle steht, wird eine Zeile angehängt; die häufigsten
          zuerst.
        </p>
        {groups.length === 0 && <NoItemsYet masterid={masterid} />}
        <FieldPicker
          label="Feld"
          groups={groups}
          value={field?.value ?? ''}
          type={field?.type}
          onChange={({ type, value }) => setField(type === '_string' ? null : { type, value })}
        />
        {takeOver && (
          <Checkbox
            label="Wert in Zielfeld übernehmen"
            checked={take}
            onChange={({ currentTarget }) => setTake(currentTarget.checked)}
          />
        )}
        <ItemsFailure failure={failure} masterid={masterid} onRetry={() => void fetchValues()} />
        <p role="status" className="k-muted">
          {announcement}
        </p>
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Schließen
          </Button>
          <Button loading={busy} onClick={() => void fetchValues()}>
            Werte holen
          </Button>
        </div>
      </div>
    </Modal>
  );
}
