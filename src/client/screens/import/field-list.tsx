import { IconKey } from '@tabler/icons-react';
import type { Field } from '#shared/items.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatInteger, formatPercent } from '../../ui/formats.ts';
import classes from './import.module.css';
import { ScrollRegion } from '../../ui/scroll-region.tsx';

type FieldListProps = { fields: readonly Field[]; keyName: string | null; items: number };

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

/** The fields of the live state: what they look like and how well they are filled. */
export function FieldList({ fields, keyName, items }: FieldListProps) {
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
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Art</th>
              <th scope="col" className="k-number">
                Gefüllt
              </th>
              <th scope="col">Beispiel</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ id, name, guess, filled, example }) => (
              <tr key={id}>
                <td>
                  <span className="k-row">
                    {name}
                    {name === keyName && (
                      <Badge tone="blue" icon={IconKey}>
                        Schlüssel
                      </Badge>
                    )}
                  </span>
                </td>
                <td>{guess === undefined ? '–' : guessLabels[guess]}</td>
                <td className="k-number">
                  {filled === undefined || items === 0 ? '–' : formatPercent(filled / items)}
                </td>
                <td>
                  <span className={classes.example} title={example}>
                    {example === undefined || example === '' ? '–' : example}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
