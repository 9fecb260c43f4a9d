import { Button, Textarea } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { filterDefinition } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { FileDrop } from '#client/ui/form/file-drop.tsx';
import { TableFileNotes } from '#client/fields/table-file/table-file-notes.tsx';
import { useChosenTable } from '#client/fields/table-file/use-chosen-table.ts';
import { tableFiles } from '#client/sending/read-table-file.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { FieldPicker } from '#client/fields/values/field-picker.tsx';
import classes from './paste-dialog.module.css';
import { type SelectableField, sourceGroups } from '#client/fields/assignments/lines/choices.ts';
import type { Line } from '#client/fields/assignments/lines/lines.ts';
import { commonField, type Pasted, presentIn, readPasted } from './paste.ts';

/** Rows that a table may have, and checked lines that are shown. */
const limit = 100_000;
const drawn = 100;
/** Characters that a text field can show without blocking the page; longer texts are taken but not shown. */
const long = 100_000;

type PasteDialogProps = {
  fields: readonly SelectableField[];
  targets: readonly TargetEntry[] | null;
  /** Rows that the table already has. */
  lines: readonly Line[];
  onRows: (rows: readonly Pasted[]) => void;
  onClose: () => void;
};

/** Adds rows from a spreadsheet or a CSV file. The user sees the checked rows before they are applied. */
export function PasteDialog({ fields, targets, lines, onRows, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [field, setField] = useState(() => commonField(lines, fields));
  // Parsing a hundred thousand lines must not block typing.
  const settled = useDeferredValue(text);
  const present = useMemo(() => presentIn(lines), [lines]);
  const rows = useMemo(
    () => readPasted(settled, { fields, targets, field, present }),
    [settled, fields, targets, field, present],
  );
  const good = rows.filter(({ error }) => error === null);
  const known = rows.filter((row) => row.present).length;
  const bad = rows.length - good.length - known;
  const tooMany = lines.length + good.length > limit;
  const chosenFile = useChosenTable((read) => setText(read));
  const takeText = (next: string) => {
    setText(next);
    setFile(null);
    void chosenFile.take(null);
  };
  const takeFile = async (chosen: File | null) => {
    setFile(chosen);
    if (!(await chosenFile.take(chosen))) setFile(null);
  };
  return (
    <FormDialog opened dirty={text !== ''} onClose={onClose} size={860} title="Zeilen einfügen">
      <div className="k-stack">
        <p>
          Zwei Spalten: Wert und Ziel; das Feld wählen Sie unten, oder es steht als Überschrift über den Werten. Mit
          Kopfzeile auch Feld, Filter, Wert, Ziel, Aktiv. Ziele gelten mit Kennung oder Namen.
        </p>
        {text.length > long ? (
          <div className="k-between" role="status">
            <span>
              {formatCount(rows.length, 'Zeile', 'Zeilen')} {file === null ? 'aus der Zwischenablage' : 'aus der Datei'}
            </span>
            <Button size="xs" variant="default" onClick={() => takeText('')}>
              Verwerfen und neu einfügen
            </Button>
          </div>
        ) : (
          <Textarea
            label="Aus Excel oder einer Tabelle einfügen"
            rows={6}
            spellCheck={false}
            value={text}
            readOnly={chosenFile.busy}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text');
              if (pasted.length <= long) return;
              event.preventDefault();
              takeText(pasted);
            }}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            data-autofocus
          />
        )}
        <FileDrop file={file} accept={tableFiles} hint="CSV oder Excel" onFile={(one) => void takeFile(one)} />
        <TableFileNotes chosen={chosenFile} />
        <div>
          <span className={classes.label} aria-hidden>
            Feld für alle Zeilen
          </span>
          <FieldPicker
            label="Feld für alle Zeilen"
            groups={sourceGroups(fields)}
            hint="Gilt, wo die Daten selbst keines nennen."
            value={field?.value ?? ''}
            {...(field && { type: field.type })}
            onChange={({ type, value }) => setField(fields.find((one) => one.type === type && one.value === value))}
          />
        </div>
        {rows.length > 0 && (
          <>
            <p role="status">
              <b>{formatCount(good.length, 'Zeile', 'Zeilen')}</b> {good.length === 1 ? 'kann' : 'können'} übernommen
              werden
              {bad > 0 && (
                <>
                  , <b className={classes.bad}>{formatInteger(bad)}</b> nicht
                </>
              )}
              .{known > 0 && ` ${formatCount(known, 'Zeile steht', 'Zeilen stehen')} schon in der Tabelle.`}
              {tooMany && ` Eine Tabelle hat höchstens ${formatInteger(limit)} Zeilen.`}
            </p>
            <Checked rows={rows} />
          </>
        )}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Abbrechen
          </Button>
          <Button
            disabled={good.length === 0 || tooMany || settled !== text || chosenFile.busy}
            onClick={() => onRows(good)}
          >
            {formatCount(good.length, 'Zeile', 'Zeilen')} anhängen
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}

/** Lines with errors come first: the user has to check them. */
function Checked({ rows }: { rows: readonly Pasted[] }) {
  const sorted = [...rows.filter(({ error }) => error !== null), ...rows.filter(({ error }) => error === null)];
  return (
    <ScrollRegion label="Geprüfte Zeilen">
      <table className="k-table">
        <thead>
          <tr>
            <th scope="col" className="k-number">
              Zeile
            </th>
            <th scope="col">Feld</th>
            <th scope="col">Filter</th>
            <th scope="col">Wert</th>
            <th scope="col">Ziel</th>
            <th scope="col">Prüfung</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, drawn).map(({ line, field, filter, value, target, error, present }) => (
            <tr key={line}>
              <td className="k-number">{line}</td>
              <td>{field?.name ?? '–'}</td>
              <td>{filterDefinition(filter).label}</td>
              <td style={{ overflowWrap: 'anywhere' }}>{value}</td>
              <td>{target?.name ?? '–'}</td>
              <td className={error === null || present ? undefined : classes.bad}>{error ?? 'in Ordnung'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > drawn && <p className="k-muted">… und {formatInteger(sorted.length - drawn)} weitere</p>}
    </ScrollRegion>
  );
}
