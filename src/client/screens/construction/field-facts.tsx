import { type ChannelField, fieldTypes } from '#shared/channels/schema.ts';
import { formatDecimal, formatInteger } from '#client/ui/text/formats.ts';
import classes from './field-facts.module.css';

/** The channel's rules for a field beyond its description. */
export function FieldFacts({ field }: { field: ChannelField }) {
  const facts = factsOf(field);
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(({ term, words }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      {!field.verified && <p className={classes.unverified}>Nicht am Kanal nachgeprüft.</p>}
    </>
  );
}

type Fact = { term: string; words: string };
/** More allowed values than these are only counted; the picker offers all of them. */
const mostValues = 12;

function factsOf(field: ChannelField): Fact[] {
  const { whenText, type, examples, values, many, patternText = '', unique } = field;
  const length = rangeOf(field.minLength, field.maxLength, formatInteger);
  const size = rangeOf(field.minimum, field.maximum, formatDecimal);
  const named = values.slice(0, mostValues).map(({ value, title }) => (title === '' ? value : `${value} (${title})`));
  const more = values.length > mostValues ? ` und ${formatInteger(values.length - mostValues)} weitere` : '';
  const facts: (Fact | false)[] = [
    whenText !== '' && { term: 'Pflicht', words: whenText },
    type !== 'text' && { term: 'Art', words: fieldTypes[type].label },
    length !== '' && { term: 'Länge', words: `${length} Zeichen` },
    size !== '' && { term: 'Größe', words: size },
    patternText !== '' && { term: 'Schreibweise', words: patternText },
    many !== undefined && { term: 'Mehrere Werte', words: `höchstens ${formatInteger(many.most)}` },
    unique && { term: 'Eindeutig', words: 'Jeder Artikel braucht einen eigenen Wert.' },
    named.length > 0 && {
      term: field.open ? 'Übliche Werte' : 'Erlaubte Werte',
      words: named.join(', ') + more,
    },
    examples.length > 0 && { term: examples.length === 1 ? 'Beispiel' : 'Beispiele', words: examples.join(' · ') },
  ];
  return facts.filter((fact) => fact !== false);
}

function rangeOf(least: number | undefined, most: number | undefined, format: (value: number) => string): string {
  if (least !== undefined && most !== undefined)
    return least === most ? `genau ${format(most)}` : `${format(least)} bis ${format(most)}`;
  if (most !== undefined) return `höchstens ${format(most)}`;
  return least === undefined ? '' : `mindestens ${format(least)}`;
}
