import type { ChannelField } from '#shared/channels/schema.ts';
import type { SourcePart, SourceSuggestion } from '#shared/construction/schema.ts';
import { baseOf, FieldNames, type NameLikeness, type NamedField } from './field-names.ts';
import { holdsMarkup, isMappable, shareFitting } from './value-shapes.ts';

/** Something that an export field could take its value from. */
export type Source = {
  readonly part: SourcePart;
  /** The names it goes by, what people call it first. */
  readonly names: readonly string[];
  /** Share of the items in which it is filled. */
  readonly coverage: number;
  /** Numbers the items. */
  readonly isKey: boolean;
  /** Made on purpose: a mapping or a table of this export. */
  readonly made: boolean;
  /** Some of its values, not distinct ones. */
  readonly values: readonly string[];
};
/** An export field that is to get a source; `field` is what the channel says of it. */
export type Wanted = { readonly name: string; readonly field: ChannelField | undefined };
/** What this company took for the same field elsewhere; `near`: for the same channel. */
export type Earlier = {
  readonly name: string;
  readonly part: SourcePart;
  readonly where: string;
  readonly near: boolean;
};

/** Suggestions that are less sure than this are none. */
const LEAST = 0.45;
/** What a list may get at once, and how sure each further value must be. */
const LIST = { most: 10, least: 0.6 } as const;

type Offer = Pick<SourceSuggestion, 'part' | 'confidence' | 'coverage' | 'examples'> & { reason: string };

/**
 * The best source for each field that wants one; several for a field that takes several values. Sureness comes from names
 * (the field's own, its title, what catalogues call it), from the values' look against the field's type, from how many items
 * have a value, and from what the company took for the same field before. All is computed here; nothing leaves the machine.
 */
export class SourceFinder {
  private readonly sources: readonly Source[];
  private readonly earlier: ReadonlyMap<string, readonly Earlier[]>;
  private readonly firstOfType = new Map<string, string>();
  /** What the name of each source says about each field. */
  private readonly named = new Map<Source, ReadonlyMap<string, NameLikeness>>();
  private readonly likest = new Map<Source, number>();

  /** `fields`: all that the channel takes, also those that have a source; `others` are names of fields that it does not know. */
  constructor(
    sources: readonly Source[],
    fields: readonly ChannelField[],
    others: readonly string[],
    earlier: readonly Earlier[],
  ) {
    this.sources = sources.filter(({ coverage }) => coverage > 0);
    this.earlier = Map.groupBy(earlier, ({ name }) => name.toLowerCase());
    // What hardly a channel asks for is not found by its look alone: the first address of some is an energy label's.
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
    // A list takes what is numbered on: `Bild 2`, `Bild 3`.
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
      const rated = this.rated(source, likeness.score, { field, fit });
      const reason = likeness.reason + looksWords(field, fit, source.values.length);
      if (rated > 0) yield { ...offerOf(source), confidence: rated, reason };
      if (field === undefined) continue;
      // A number of the catalogue is an address or a GTIN only where it looks like one.
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

  /** How sure a name makes, by what the values look like and how many there are. */
  private rated(
    source: Source,
    likeness: number,
    { field, fit }: { field: ChannelField | undefined; fit: number },
  ): number {
    if (likeness === 0) return 0;
    // Another field of the channel is meant rather.
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

/** How sure the look of the values alone makes, where no name says anything. */
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

/** The surest offer of each source. */
function distinct(offers: readonly Offer[]): Offer[] {
  const seen = new Set<string>();
  return offers.filter(({ part: { type, value } }) => {
    const key = `${type} ${value}`;
    return !seen.has(key) && seen.add(key);
  });
}
