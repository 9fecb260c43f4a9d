import type { ChannelField } from '#shared/channels/schema.ts';
import type { SourcePart, SourceSuggestion } from '#shared/construction/schema.ts';
import { baseOf, FieldNames, nameWords, type NameLikeness, type NamedField } from './field-names.ts';
import { holdsMarkup, isMappable, shareFitting } from './value-shapes.ts';

/** A possible source of an export field's value. */
export type Source = {
  readonly part: SourcePart;
  /** Its names, the display name first. */
  readonly names: readonly string[];
  /** Share of the items in which it is filled. */
  readonly coverage: number;
  /** Whether it is the item number. */
  readonly isKey: boolean;
  /** Whether it was made on purpose: a mapping or a table of this export. */
  readonly made: boolean;
  /** Some of its values, possibly repeated. */
  readonly values: readonly string[];
};
/** An export field to find a source for; `field` is the channel's definition of it. */
export type Wanted = { readonly name: string; readonly field: ChannelField | undefined };
/** A source this company chose for the same field in another export; `near`: for the same channel. */
export type Earlier = {
  readonly name: string;
  readonly part: SourcePart;
  readonly where: string;
  readonly near: boolean;
};

/** Suggestions with a lower confidence are dropped. */
const LEAST = 0.45;
/** The most confidence of a bare `id` beside a key of which this share of the values fits. */
const BARE_ID = 0.8;
const KEY_FITS = 0.9;
/** The most values suggested for a list, and the least confidence of each further one. */
const LIST = { most: 10, least: 0.6 } as const;

type Offer = Pick<SourceSuggestion, 'part' | 'confidence' | 'coverage' | 'examples'> & { reason: string };

/**
 * Finds the best source for each field without one, or several for a field that takes several values. Confidence comes from names
 * (the field's own, its title, synonyms in catalogues), from how well the values fit the field's type, from the share of items
 * with a value, and from the company's earlier choices. Everything is computed here; no data leaves the machine.
 */
export class SourceFinder {
  private readonly sources: readonly Source[];
  private readonly earlier: ReadonlyMap<string, readonly Earlier[]>;
  private readonly firstOfType = new Map<string, string>();
  /** For each source, how strongly its name indicates each field. */
  private readonly named = new Map<Source, ReadonlyMap<string, NameLikeness>>();
  private readonly likest = new Map<Source, number>();

  /** `fields`: all fields of the channel, including those with a source; `others`: names of fields it does not define. */
  constructor(
    sources: readonly Source[],
    fields: readonly ChannelField[],
    others: readonly string[],
    earlier: readonly Earlier[],
  ) {
    this.sources = sources.filter(({ coverage }) => coverage > 0);
    this.earlier = Map.groupBy(earlier, ({ name }) => name.toLowerCase());
    // Rarely required fields are not found by their values alone: some channels' first address field is an energy label.
    for (const { type, name, requirement } of fields)
      if ((requirement === 'Required' || requirement === 'Recommended') && !this.firstOfType.has(type))
        this.firstOfType.set(type, name);
    const free = others.map((name): NamedField => ({ name, title: name, sources: [], type: 'text' }));
    const names = new FieldNames([...fields, ...free]);
    for (const source of this.sources) {
      const likeness = names.likeness(source.names);
      this.named.set(source, likeness);
      this.likest.set(source, Math.max(0, ...[...likeness.values()].map(({ score }) => score)));
    }
  }

  suggest(wanted: Wanted): SourceSuggestion[] {
    const { field } = wanted;
    const offers = [...this.decided(wanted), ...this.found(wanted)].filter(({ confidence }) => confidence >= LEAST);
    const sorted = distinct(offers.toSorted((a, b) => b.confidence - a.confidence));
    const [best, ...more] = sorted;
    if (best === undefined) return [];
    const most = Math.min(field?.many?.most ?? 1, LIST.most);
    // A list takes sources that are numbered consecutively: `Bild 2`, `Bild 3`.
    const base = baseOf(best.part.value);
    const further = more
      .filter(({ part, confidence }) => confidence >= LIST.least && baseOf(part.value) === base)
      .slice(0, most - 1);
    return [best, ...further].map((offer) => ({
      exportfield: wanted.name,
      ...offer,
      confidence: Math.round(offer.confidence * 100) / 100,
    }));
  }

  private *decided({ name }: Wanted): Generator<Offer> {
    for (const { part, where, near } of this.earlier.get(name.toLowerCase()) ?? []) {
      const reason = `so im Export „${where}“`;
      const confidence = near ? 0.99 : 0.98;
      if (part.type === '_string' || part.type === '_default')
        yield { part, confidence: confidence - 0.05, coverage: 1, examples: [part.value], reason };
      const source = this.sources.find((one) => one.part.type === part.type && one.part.value === part.value);
      if (source !== undefined) yield { ...offerOf(source), confidence, reason };
    }
  }

  private *found({ name, field }: Wanted): Generator<Offer> {
    for (const source of this.sources) {
      const likeness = this.named.get(source)?.get(name) ?? { score: 0, reason: '' };
      const alone = field !== undefined && this.firstOfType.get(field.type) === field.name;
      if (likeness.score === 0 && !alone && !(field?.unique && source.isKey)) continue;
      const fit = field === undefined ? 1 : shareFitting(field, source.values, source.names);
      const rated = Math.min(this.rated(source, likeness.score, { field, fit }), this.mostOf(source, field));
      const reason = likeness.reason + looksWords(field, fit, source.values.length);
      if (rated > 0) yield { ...offerOf(source), confidence: rated, reason };
      if (field === undefined) continue;
      // The item number is an address or a GTIN only if its values look like one.
      if (field.unique && source.isKey)
        yield { ...offerOf(source), confidence: 0.96 * fit, reason: 'Schlüsselfeld des Katalogs' };
      const byLook = alone ? (lookAlone[field.type] ?? 0) : 0;
      if (byLook > 0 && fit >= 0.9 && new Set(source.values).size >= 3)
        yield {
          ...offerOf(source),
          confidence: byLook * fit,
          reason: looksWords(field, fit, source.values.length).slice(2),
        };
    }
  }

  /** An internal `id` stays below the key that the user chose for the catalogue, as far as the key's values fit the field. */
  private mostOf({ isKey, names }: Source, field: ChannelField | undefined): number {
    if (isKey || field?.unique !== true || !names.some(isBareId)) return 1;
    const key = this.sources.find((source) => source.isKey);
    return key !== undefined && shareFitting(field, key.values, key.names) >= KEY_FITS ? BARE_ID : 1;
  }

  /** The confidence of a name match, adjusted by the values and their number. */
  private rated(
    source: Source,
    likeness: number,
    { field, fit }: { field: ChannelField | undefined; fit: number },
  ): number {
    if (likeness === 0) return 0;
    // The name indicates another field of the channel more strongly.
    const further = (this.likest.get(source) ?? 0) - likeness;
    const elsewhere = further > 0.25 ? 0.5 : further > 0.08 ? 0.75 : 1;
    const floor = field !== undefined && isMappable(field) ? 0.5 : 0.3;
    const looks = floor + (1 - floor) * fit;
    const plain = field?.type === 'text' && holdsMarkup(source.values) ? 0.9 : 1;
    const there = 0.65 + 0.35 * Math.min(1, source.coverage / 0.6);
    const distinctness = field?.unique === true ? 0.4 + 0.6 * distinctShare(source.values) : 1;
    const made = source.made ? 1.02 : 1;
    return Math.min(0.97, likeness * looks * plain * there * distinctness * elsewhere * made);
  }
}

/** `id`, `Variation.id`: numbers of a database, which say nothing to people. */
const isBareId = (name: string): boolean => nameWords(name.split(/[/>|:.]/).at(-1) ?? name).join('') === 'id';

/** The confidence from the values alone, if no name matches. */
const lookAlone: Readonly<Partial<Record<ChannelField['type'], number>>> = { gtin: 0.75, image: 0.65, url: 0.5 };

function offerOf({ part, coverage, values }: Source) {
  const examples = [...new Set(values)].slice(0, 3).map((text) => text.slice(0, 200));
  return { part, coverage: Math.round(coverage * 1000) / 1000, examples };
}

const distinctShare = (values: readonly string[]): number =>
  values.length === 0 ? 1 : new Set(values).size / values.length;

function looksWords(field: ChannelField | undefined, fit: number, count: number): string {
  if (field === undefined || count === 0 || field.type === 'text' || field.type === 'html') return '';
  if (fit >= 0.95) return `; ${kindWords[field.type]}`;
  return `; nur ${Math.round(fit * 100)} % der Werte passen`;
}

const kindWords: Readonly<Record<Exclude<ChannelField['type'], 'text' | 'html'>, string>> = {
  number: 'die Werte sind Zahlen',
  integer: 'die Werte sind ganze Zahlen',
  price: 'die Werte sind Preise',
  measure: 'die Werte sind Maße',
  boolean: 'die Werte sind ja oder nein',
  choice: 'der Kanal nimmt die Werte',
  date: 'die Werte sind Daten',
  url: 'die Werte sind Adressen',
  image: 'die Werte sind Bildadressen',
  gtin: 'die Prüfziffern stimmen',
};

/** The offer with the highest confidence for each source. */
function distinct(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return offers.filter(({ part: { type, value } }) => {
    const key = `${type} ${value}`;
    return !seen.has(key) && seen.add(key);
  });
}
