import IconKey from 'virtual:icons/key';
import { api } from '#shared/http/api.ts';
import { type Field, MAX_CELL } from '#shared/items/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { Badge } from '#client/ui/badge.tsx';
import { CellEditor } from '#client/ui/grid/cell-editor.tsx';
import { formatFilled, formatInteger } from '#client/ui/text/formats.ts';
import classes from './import.module.css';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';

type FieldListProps = {
  masterid: string;
  fields: readonly Field[];
  keyName: string | null;
  items: number;
  mayEdit: boolean;
  /** Called after a note was stored; resolves once `fields` contain it. */
  onNoted: () => Promise<void>;
};

const guessLabels: Record<NonNullable<Field['guess']>, string> = {
  text: 'Text',
  number: 'Zahl',
  price: 'Preis',
  integer: 'Ganzzahl',
  date: 'Datum',
  url: 'Adresse',
  image: 'Bild',
  html: 'HTML',
  gtin: 'GTIN',
  boolean: 'Ja/Nein',
};

/** The fields of the live state: their kind of value, and how well they are filled. */
export function FieldList({ masterid, fields, keyName, items, mayEdit, onNoted }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <section className="k-card k-stack" aria-labelledby="felder">
      <div>
        <h2 id="felder">Felder ({formatInteger(fields.length)})</h2>
        <p className="k-muted k-small">
          {keyName === null
            ? 'Kein Schlüsselfeld: die Artikel sind nach Zeilen nummeriert.'
            : `Schlüsselfeld ist „${keyName}“; sein Wert ist die Artikelnummer.`}
        </p>
      </div>
      <ScrollRegion label="Felder" className={classes.limited}>
        <table className="k-table k-table-stacks">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Art</th>
              <th scope="col" className="k-number">
                Gefüllt
              </th>
              <th scope="col">Beispiel</th>
              <th scope="col">Notiz</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ id, name, guess, filled, example, note = '' }) => (
              <tr key={name}>
                <td data-title="Name">
                  <span className="k-row">
                    {name}
                    {name === keyName && (
                      <Badge tone="blue" icon={IconKey}>
                        Schlüssel
                      </Badge>
                    )}
                  </span>
                </td>
                <td data-title="Art">{guess === undefined ? '–' : guessLabels[guess]}</td>
                <td className="k-number" data-title="Gefüllt">
                  {filled === undefined || items === 0 ? '–' : formatFilled(filled / items)}
                </td>
                <td data-title="Beispiel">
                  <span className={classes.example} title={example}>
                    {example === undefined || example === '' ? '–' : example}
                  </span>
                </td>
                <td className={classes.note} data-title="Notiz">
                  {mayEdit ? (
                    <CellEditor
                      label={`Notiz zu ${name}`}
                      value={note}
                      maxLength={MAX_CELL}
                      placeholder="Notiz schreiben"
                      onSave={(text) => saveNote({ masterid, id, name, note: text }, onNoted)}
                    />
                  ) : (
                    note
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

type FieldNote = { masterid: string; id: string; name: string; note: string };

/** HDR-08: stores a note about one field; resolves to the error text, or undefined after success. */
async function saveNote({ masterid, ...field }: FieldNote, onNoted: () => Promise<void>): Promise<string | undefined> {
  try {
    await call(api.updateFields, { body: { masterid, updatedColumns: [field] } });
  } catch (error) {
    return failureOf('Fehler beim Speichern', error).message;
  }
  await onNoted();
  return undefined;
}
