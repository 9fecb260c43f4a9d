import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import IconChevronRight from 'virtual:icons/chevron-right';
import type { ReactNode } from 'react';
import { decimalMarks, OutputFormat, priceFormats } from '#shared/exports/schema.ts';
import {
  delimiterLabels,
  encodingLabels,
  kindLabels,
  lineEndLabels,
  quoteLabels,
  quotingLabels,
  styleLabels,
} from './format-labels.ts';
import classes from './export-settings.module.css';

type FormatFieldsProps = {
  format: OutputFormat;
  onChange: (format: OutputFormat) => void;
  /** Returns the server's message about a member, e.g. `format.head`. */
  errorOf: (field: string) => string | undefined;
};

type Members<Value> = { [Member in keyof OutputFormat]: OutputFormat[Member] extends Value ? Member : never };
type TextMember = Extract<Members<string>[keyof OutputFormat], string>;
type SwitchMember = Extract<Members<boolean>[keyof OutputFormat], string>;

const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const badCurrency = 'Bitte geben Sie die drei Buchstaben der Währung ein, zum Beispiel EUR.';

/** Returns the German message for the first invalid member; undefined if all are valid. */
export function formatError(format: OutputFormat): string | undefined {
  return OutputFormat.shape.currency.safeParse(format.currency).success ? undefined : badCurrency;
}

/** The file format; shows only what applies to the chosen kind, with rare options under a summary. */
export function FormatFields({ format, onChange, errorOf }: FormatFieldsProps) {
  // A select holds text; the schema converts it back to one of the member's values. Free text stays as typed.
  const choose = (member: keyof OutputFormat, value: string) => {
    const chosen = OutputFormat.shape[member].safeParse(value);
    if (chosen.success) onChange({ ...format, [member]: chosen.data });
  };
  const select = (member: TextMember, label: string, labels: Record<string, string>, help?: string) => (
    <NativeSelect
      label={label}
      description={help}
      inputWrapperOrder={below}
      value={format[member]}
      onChange={({ currentTarget }) => choose(member, currentTarget.value)}
      data={Object.entries(labels).map(([value, name]) => ({ value, label: name }))}
    />
  );
  const text = (member: TextMember, label: string, help?: string) => (
    <TextInput
      label={label}
      description={help}
      inputWrapperOrder={below}
      maxLength={100}
      value={format[member]}
      error={errorOf(`format.${member}`)}
      onChange={({ currentTarget }) => onChange({ ...format, [member]: currentTarget.value })}
    />
  );
  const toggle = (member: SwitchMember, label: string, help: string) => (
    <Switch
      label={label}
      description={help}
      checked={format[member]}
      onChange={({ currentTarget }) => onChange({ ...format, [member]: currentTarget.checked })}
    />
  );
  return (
    <section className="k-card k-stack" aria-labelledby="format">
      <h2 id="format">Format</h2>
      <Basics format={format} onChange={onChange} select={select} toggle={toggle} />
      <details className={classes.more}>
        <summary>
          <IconChevronRight size={18} aria-hidden className={classes.chevron} />
          Weitere Angaben
        </summary>
        <div className="k-stack">
          <More format={format} onChange={onChange} select={select} text={text} toggle={toggle} errorOf={errorOf} />
        </div>
      </details>
    </section>
  );
}

type Inputs = {
  format: OutputFormat;
  onChange: (format: OutputFormat) => void;
  select: (member: TextMember, label: string, labels: Record<string, string>, help?: string) => ReactNode;
  toggle: (member: SwitchMember, label: string, help: string) => ReactNode;
};

/** Options that most merchants set: kind, separator, encoding, price format. */
function Basics({ format, onChange, select, toggle }: Inputs) {
  const { kind } = format;
  const encoded = kind === 'csv' || kind === 'xml';
  return (
    <>
      <div className={classes.grid}>
        {select('kind', 'Art der Datei', kindLabels)}
        {kind === 'xml' && select('style', 'Aufbau', styleLabels)}
        {kind === 'csv' && select('delimiter', 'Trennzeichen', delimiterLabels)}
        {encoded && select('encoding', 'Zeichensatz', encodingLabels)}
        {select('price', 'Preise', priceFormats, 'Was keine Zahl ist, bleibt unverändert.')}
        {format.price !== 'cents' &&
          select('decimal', 'Dezimalzeichen', decimalMarks, 'Nur in Zahlen mit Nachkommastellen.')}
        {format.price === 'currency' && (
          <TextInput
            label="Währung"
            description="Steht hinter Preisen, die keine eigene mitbringen."
            inputWrapperOrder={below}
            required
            maxLength={3}
            value={format.currency}
            error={formatError(format)}
            onChange={({ currentTarget }) => onChange({ ...format, currency: currentTarget.value.toUpperCase() })}
          />
        )}
      </div>
      {toggle(
        'stripHtml',
        'HTML entfernen',
        'Aus allen Feldern, in denen der Kanal kein HTML erlaubt. Absätze werden zu Zeilen.',
      )}
    </>
  );
}

type MoreInputs = Inputs & {
  text: (member: TextMember, label: string, help?: string) => ReactNode;
  errorOf: (field: string) => string | undefined;
};

/** Options that only some channels require. */
function More({ format, onChange, select, text, toggle, errorOf }: MoreInputs) {
  const { kind } = format;
  const json = kind === 'json' || kind === 'jsonl';
  return (
    <>
      {(kind === 'csv' || kind === 'xlsx') &&
        toggle('header', 'Kopfzeile mit den Feldnamen schreiben', 'Fast jeder Kanal erwartet sie.')}
      {kind === 'csv' && (
        <div className={classes.grid}>
          {select('quote', 'Textbegrenzer', quoteLabels)}
          {select('quoting', 'Textbegrenzer setzen', quotingLabels)}
          {select('lineEnd', 'Zeilenende', lineEndLabels)}
        </div>
      )}
      {kind === 'xml' && format.style === 'generic' && (
        <div className={classes.grid}>
          {text('root', 'Wurzelelement', 'Umschließt alle Artikel.')}
          {text('item', 'Element je Artikel')}
        </div>
      )}
      {kind === 'xml' && format.style !== 'generic' && (
        <p className="k-muted">Die Elementnamen gibt dieser Aufbau vor; es gibt nichts weiter einzustellen.</p>
      )}
      {(json || kind === 'xlsx') && toggle('typed', 'Zahlen als Zahlen schreiben', typedHelp(kind))}
      {json &&
        toggle(
          'nested',
          'Punkte und Klammern im Feldnamen als Pfad lesen',
          'Aus „preis.betrag“ wird ein Objekt, aus „bilder[0]“ eine Liste. Fehlende Werte bleiben weg.',
        )}
      {kind === 'json' &&
        text(
          'member',
          'Name der Artikelliste',
          'Leer: Die Datei ist eine einfache Liste. Sonst steht die Liste unter diesem Namen in einem Objekt.',
        )}
      {kind === 'json' && format.member !== '' && (
        <Textarea
          label="Weitere Angaben neben der Liste"
          description='Ein JSON-Objekt, zum Beispiel {"version": "2.0"}.'
          inputWrapperOrder={below}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={10_000}
          spellCheck={false}
          classNames={{ input: classes.code }}
          value={format.head}
          error={errorOf('format.head')}
          onChange={({ currentTarget }) => onChange({ ...format, head: currentTarget.value })}
        />
      )}
    </>
  );
}

const typedHelp = (kind: OutputFormat['kind']) =>
  kind === 'xlsx'
    ? 'Excel kann dann damit rechnen. Artikelnummern und EANs bleiben Text.'
    : 'Ohne Anführungszeichen, ebenso true und false. Artikelnummern und EANs bleiben Text.';
