import type { ChannelField, FieldType } from '#shared/channels/schema.ts';
import {
  belongsElsewhere,
  generic,
  isTurned,
  isWholesale,
  notation,
  sharedLeaf,
  vague,
} from '#feed/suggestions/words/field-words.ts';
import { withoutCompounds } from '#feed/suggestions/words/compound-words.ts';
import { foldText, spellingDistance, stem } from '#feed/suggestions/words/words.ts';

/** The properties of a channel's field that its names come from. */
export type NamedField = Pick<ChannelField, 'name' | 'title' | 'sources' | 'many' | 'type'>;
/** How strongly a source's name indicates a field, 0 to 1, and the reason in German. */
export type NameLikeness = { readonly score: number; readonly reason: string };

const SURE = {
  name: 1,
  leaf: 0.99,
  title: 0.97,
  synonym: 0.95,
  laterSynonym: 0.004,
  path: 0.97,
  bare: 0.96,
  order: 0.95,
  short: 0.82,
  near: 0.85,
  within: 0.78,
  part: 0.7,
  sibling: 0.88,
  vague: 0.65,
  turned: 0.6,
  aside: 0.4,
} as const;
type Spelling = {
  readonly field: string;
  readonly text: string;
  readonly key: string;
  readonly words: readonly string[];
  readonly weight: number;
  readonly type: FieldType;
};
type Form = {
  readonly key: string;
  readonly words: readonly string[];
  readonly weight: number;
  readonly cut: boolean;
  /** Words of the name that this form omits: the path before its last part, text in brackets. */
  readonly aside: readonly string[];
  /** Whether a compound was split for this form. */
  readonly parted: boolean;
};

/** The names of a channel's fields: their own, their titles, and the names that catalogues use. */
export class FieldNames {
  private readonly byKey = new Map<string, Spelling[]>();
  private readonly byWord = new Map<string, Spelling[]>();
  /** By first letter and length: a typo rarely affects the first letter. */
  private readonly alike = new Map<string, Spelling[]>();
  /** Fields that take several values, by their names without a number. */
  private readonly lists = new Map<string, string[]>();
  /** The field for the single main picture, and the lists of further pictures. */
  private readonly single: string | undefined;
  private readonly images: readonly string[];

  constructor(fields: readonly NamedField[]) {
    for (const spelling of fields.flatMap(spellingsOf)) {
      add(this.byKey, spelling.key, spelling);
      for (const word of new Set(spelling.words)) add(this.byWord, word, spelling);
      add(this.alike, bucket(spelling.key, spelling.key.length), spelling);
    }
    const images = fields.filter(({ type }) => type === 'image');
    this.single = images.find(({ many }) => many === undefined)?.name;
    this.images = images.filter(({ many }) => many !== undefined).map(({ name }) => name);
    for (const field of fields.filter(({ many }) => many !== undefined))
      for (const { text } of spellingsOf(field)) add(this.lists, baseOf(text), field.name);
  }

  /** The fields that a source's names could mean, each with its best score. */
  likeness(names: readonly string[]): Map<string, NameLikeness> {
    const best = new Map<string, NameLikeness>();
    const put = (field: string, found: NameLikeness) => {
      if (found.score > (best.get(field)?.score ?? 0)) best.set(field, found);
    };
    for (const name of names) {
      for (const form of formsOf(name)) {
        for (const spelling of this.candidates(form)) put(spelling.field, compare(form, spelling));
      }
      this.siblings(name, put);
    }
    // A source that is more likely the main picture is no value of the list of further ones.
    const single = this.single === undefined ? 0 : (best.get(this.single)?.score ?? 0);
    for (const list of this.images) if ((best.get(list)?.score ?? 0) < single + 0.03) best.delete(list);
    return best;
  }

  private candidates({ key, words, cut }: Form): Set<Spelling> {
    const near = [-2, -1, 0, 1, 2].flatMap((step) => this.alike.get(bucket(key, key.length + step)) ?? []);
    // A long name may repeat a word hundreds of times.
    const sharing = [...new Set(words)].flatMap((word) => this.byWord.get(word) ?? []);
    const longer = cut ? [...this.byKey].flatMap(([other, found]) => (other.startsWith(key) ? found : [])) : [];
    return new Set([...(this.byKey.get(key) ?? []), ...sharing, ...near, ...longer]);
  }

  /** `picture_2` next to `picture_1`, `Bulletpoint 2` next to `Bulletpoint 1`: a further value of the list. */
  private siblings(name: string, put: (field: string, found: NameLikeness) => void): void {
    const [, base = '', digits = ''] = /^(.*?)[\s_.-]*0*(\d{1,2})$/.exec(name) ?? [];
    if (Number(digits) < 2) return;
    const score = SURE.sibling - Number(digits) / 1000;
    for (const list of this.lists.get(baseOf(base)) ?? []) put(list, { score, reason: 'weiterer Wert' });
    const pictured = formsOf(base).some(({ key }) => this.byKey.get(key)?.some(({ field }) => field === this.single));
    if (pictured) for (const list of this.images) put(list, { score, reason: 'weiteres Bild' });
  }
}

/** A name without the number at its end, which values of one list share. */
export const baseOf = (name: string): string => nameWords(name.replace(/\d+$/, '')).map(stemOf).join('');

function spellingsOf({ name, title, sources, type }: NamedField): Spelling[] {
  const path = name.replaceAll(/\[\d+\]|\.value$/g, '').split('.');
  const leaf = path.at(-1) ?? name;
  const named = [
    { text: name, weight: SURE.name as number },
    // `attributes[0].name` is not the field that a catalogue calls `name`.
    ...(path.length > 1 && sharedLeaf.has(stemOf(nameWords(leaf).join(''))) ? [] : [{ text: leaf, weight: SURE.leaf }]),
    { text: title, weight: SURE.title },
    ...sources.map((text, index) => ({ text, weight: SURE.synonym - Math.min(index, 20) * SURE.laterSynonym })),
  ];
  const known = new Set<string>();
  return named.flatMap(({ text, weight }) => {
    const words = nameWords(text);
    const key = words.join('');
    if (key === '' || known.has(key)) return [];
    known.add(key);
    const sure = vague.has(key) && type === 'integer' ? weight * SURE.vague : weight;
    return [{ field: name, text, key, words: words.map(stemOf), weight: sure, type }];
  });
}

/**
 * The forms of a name: itself, its last part if it is a path and that part is about the item, and both without notation, brackets
 * and a trailing 1.
 */
function formsOf(source: string): Form[] {
  const path = source.split(/[/>|:.]/).filter((part) => part.trim() !== '');
  const leaf = path.at(-1) ?? source;
  const bare = (text: string) => text.replaceAll(/[([{].*?[)\]}]/g, ' ').replace(/[\s_-]*0?1$/, '');
  const cut = /\p{L}\.$/u.test(source.trim());
  const texts = [
    { text: source, weight: 1 },
    { text: bare(source), weight: SURE.bare },
    ...(belongsElsewhere(path.slice(0, -1).map(nameWords), nameWords(leaf))
      ? []
      : [
          { text: leaf, weight: SURE.path },
          { text: bare(leaf), weight: SURE.path * SURE.bare },
        ]),
  ];
  const all = nameWords(source);
  const named = texts.map(({ text, weight }) => ({ words: nameWords(text), weight, parted: false }));
  const compounds = named.flatMap(({ words, weight }) => {
    const plain = withoutCompounds(words);
    return plain ? [{ words: plain.words, weight: weight * plain.weight, parted: true }] : [];
  });
  const forms = [...named, ...compounds].flatMap(({ words, weight, parted }) => {
    const aside = parted ? [] : all.filter((word) => !words.includes(word)).map(stemOf);
    const telling = words.filter((word) => !notation.has(word));
    const whole = { key: words.join(''), words: words.map(stemOf), weight, cut, aside, parted };
    if (telling.length === words.length || telling.length === 0) return [whole];
    const rest = { key: telling.join(''), words: telling.map(stemOf), weight: weight * SURE.bare, cut, aside, parted };
    return [whole, rest];
  });
  return forms.filter(({ key }) => key !== '');
}

function compare(form: Form, { text, key, words, weight, type }: Spelling): NameLikeness {
  const elsewhere = type === 'price' && isWholesale(form.aside.filter((word) => !words.includes(word)));
  const sure = form.weight * weight * (elsewhere ? SURE.aside : 1);
  const equals = form.parted
    ? `enthält „${text}“`
    : weight >= SURE.title
      ? `heißt wie „${text}“`
      : `üblicher Name: „${text}“`;
  if (form.key === key) return { score: sure, reason: equals };
  if (form.cut && form.key.length >= 5 && key.startsWith(form.key))
    return { score: sure * SURE.short, reason: `Abkürzung von „${text}“` };
  const otherWords = new Set(form.words);
  const shared = words.filter((word) => otherWords.has(word));
  if (shared.length === words.length && shared.length === form.words.length)
    return { score: sure * SURE.order, reason: equals };
  const most = Math.min(key.length, form.key.length) >= 12 ? 2 : 1;
  const turned = isTurned(form.words, words, type) ? SURE.turned : 1;
  if (turned === 1 && isNear(form.key, key, most))
    return { score: sure * SURE.near, reason: `fast wie „${text}“ geschrieben` };
  const telling = shared.some((word) => word.length > 1 && !generic.has(word)) ? 1 : 0.6;
  if (shared.length === words.length && words.length > 0) {
    const share = words.length / form.words.length;
    return { score: sure * SURE.within * share ** 0.4 * telling * turned, reason: `enthält „${text}“` };
  }
  if (shared.length === form.words.length && shared.length > 0)
    return {
      score: sure * SURE.part * Math.sqrt(shared.length / words.length) * telling,
      reason: `steht in „${text}“`,
    };
  return { score: 0, reason: '' };
}

/** Whether two names differ only by one or two typos, which rarely affect the first letter. */
const isNear = (one: string, other: string, most: number): boolean =>
  other.length >= 6 &&
  one.charAt(0) === other.charAt(0) &&
  sameDigits(one, other) &&
  spellingDistance(one, other, most) <= most;

/** `Bild 2` is no typo of `Bild 3`. */
const sameDigits = (one: string, other: string): boolean => one.replaceAll(/\D/g, '') === other.replaceAll(/\D/g, '');

/** Splits a name into words as people and programs write them: `imageUrl`, `Image_URL`, `Bild-URL`. */
export function nameWords(name: string): string[] {
  return foldText(name.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replaceAll(/(\p{L})(\d)/gu, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Shopify's `Handle` is not a plural, and a length is no `lang` (language). */
const whole = new Set(['handle', 'laenge', 'laengen']);
const stemOf = (word: string): string => (whole.has(word) ? word : stem(word));

const bucket = (key: string, length: number): string => `${key.slice(0, 1)}${length}`;

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
