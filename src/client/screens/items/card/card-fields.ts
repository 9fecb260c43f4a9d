import type { Field } from '#shared/items/schema.ts';
import { addressesOf } from '#shared/items/image-addresses.ts';

export type CardField = { name: string; value: string | null };
export type CardGroup = { title: string; fields: CardField[] };

type Guess = Field['guess'];

/** The groups of an item's card in order. A field belongs to the first group that matches its kind of value or its name. */
const groups: readonly { title: string; guesses: readonly Guess[]; names: RegExp | null }[] = [
  { title: 'Bilder und Links', guesses: ['image', 'url'], names: null },
  {
    title: 'Preis, Bestand und Versand',
    guesses: ['price'],
    names:
      /preis|price|\buvp\b|rabatt|steuer|\btax|währung|currency|bestand|stock|quantity|verfügbar|availab|liefer(?!ant)|versand|shipping|aktion|\bsale/i,
  },
  {
    title: 'Artikel',
    guesses: ['gtin'],
    names:
      /artikel|nummer|number|\bsku\b|\bean\b|gtin|\bmpn\b|\basin\b|\bid\b|titel|title|name\b|bezeichnung|marke|brand|hersteller|manufacturer|lieferant|supplier|vendor|beschreib|description|kategorie|category/i,
  },
  {
    title: 'Eigenschaften',
    guesses: [],
    names:
      /farb|colou?r|größe|groesse|\bsize|material|gewicht|weight|länge|length|breite|width|höhe|height|geschlecht|gender|alter|\bage|zustand|condition|merkmal|attribut|inhalt|einheit|saison|energie|maße/i,
  },
];
const other = 'Weitere Felder';

/** Groups the fields of an item, each group in the order of the file; empty groups are left out. */
export function groupFields(fields: readonly CardField[], guesses: ReadonlyMap<string, Guess>): CardGroup[] {
  const titleOf = ({ name }: CardField) =>
    groups.find((group) => group.guesses.includes(guesses.get(name)) || group.names?.test(name) === true)?.title ??
    other;
  const order = ['Artikel', ...groups.map(({ title }) => title).filter((title) => title !== 'Artikel'), other];
  const byTitle = Map.groupBy(fields, titleOf);
  return order.flatMap((title) => {
    const found = byTitle.get(title);
    return found === undefined ? [] : [{ title, fields: found }];
  });
}

/** Returns the fields whose name or value contains the text; with `onlyFilled`, only those with a value. */
export function chooseFields(fields: readonly CardField[], typed: string, onlyFilled: boolean): CardField[] {
  const wanted = typed.trim().toLowerCase();
  return fields.filter(
    ({ name, value }) =>
      (!onlyFilled || (value !== null && value.trim() !== '')) &&
      (name.toLowerCase().includes(wanted) || value?.toLowerCase().includes(wanted) === true),
  );
}

export type Picture = { address: string; name: string };

/** Returns every picture of an item once, in the order of its fields. */
export function picturesOf(fields: readonly CardField[], guesses: ReadonlyMap<string, Guess>): Picture[] {
  const all = fields
    .filter(({ name }) => guesses.get(name) === 'image')
    .flatMap(({ name, value }) => addressesOf(value ?? '').map((address) => ({ address, name })));
  return all.filter(({ address }, index) => all.findIndex((one) => one.address === address) === index);
}
